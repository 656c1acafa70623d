#!/usr/bin/env bash
# Trains weights from the samples of one device, then adapts them to another by a few samples of it.
# usage: retrain.sh RETRAIN_COST_MODEL SAMPLES OTHER_SAMPLES FOLDER
set -euo pipefail
retrain=$1 samples=$2 other_samples=$3 folder=$4

"$retrain" --samples "$samples" --epochs 100 --seed 1 \
    --out "$folder/device.weights" --report "$folder/device.card.json"
"$retrain" --samples "$other_samples" --init "$folder/device.weights" --adapt heads --epochs 100 \
    --out "$folder/other.weights" --report "$folder/other.card.json"
