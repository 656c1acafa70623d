#!/usr/bin/env bash
# Judges a network on applications that no training has seen, and trains weights for each application
# without it.
# usage: hold_out.sh RETRAIN_COST_MODEL SAMPLES FOLDER [EPOCHS]
set -euo pipefail
retrain=$1 samples=$2 folder=$3 epochs=${4:-100}

"$retrain" --samples "$samples" --hold-out 'app:*' --seeds 5 --epochs "$epochs" \
    --out "$folder/unseen.weights" --report "$folder/unseen.card.json"
mkdir -p "$folder/without"
"$retrain" --samples "$samples" --leave-one-out --seeds 5 --epochs "$epochs" \
    --out "$folder/without" --report "$folder/without.card.json"
