"""What PyTorch is asked to compile: functions of tensors, with the tensors, by name."""

import torch
import torch.nn.functional as F


def numbers(*shape, seed=0):
    made = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=made)


def integers(limit, *shape, dtype=torch.int64, seed=0):
    made = torch.Generator().manual_seed(seed)
    return torch.randint(0, limit, shape, generator=made, dtype=dtype)


def rms_norm(x, scale):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * scale


def attention(scores, mask, values):
    return torch.softmax(scores / 8 + mask, -1) @ values


def sgd(weights, gradient, momentum):
    momentum = 0.9 * momentum + gradient + 1e-4 * weights
    return weights - 0.01 * momentum, momentum


def adam(weights, gradient, mean, square):
    mean = torch.lerp(mean, gradient, 0.1)
    square = 0.999 * square + 0.001 * gradient * gradient
    return weights - 0.001 * mean / ((square / 0.3).sqrt() + 1e-8), mean, square


def adamw(weights, gradient, mean, square):
    return adam(weights * (1 - 1e-5), gradient, mean, square)


def residual(x, kernel, mean, variance, scale, shift, shortcut):
    x = F.conv2d(x, kernel, padding=1)
    return F.relu(F.batch_norm(x, mean, variance, scale, shift) + shortcut)


def up_block(x, skip, kernel):
    x = torch.cat([F.interpolate(x, scale_factor=2.0, mode="bilinear"), skip], 1)
    return F.relu(F.conv2d(x, kernel, padding=1))


def rotary(x, cos, sin):
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


IMAGE = numbers(2, 8, 32, 32)
ROWS = numbers(64, 256)
CHANNELS = [numbers(8, seed=1), numbers(8, seed=2).abs() + 0.5, numbers(8, seed=3), numbers(8, seed=4)]
COLUMN = numbers(256, seed=1)
LABELS = integers(256, 64)
STEP = [numbers(10000, seed=seed) for seed in range(3)] + [numbers(10000, seed=3).abs()]

PIPELINES = {
    "batch_norm": (F.batch_norm, [IMAGE, *CHANNELS]),
    "batch_norm_training": (
        lambda x, scale, shift: F.batch_norm(x, None, None, scale, shift, True), [IMAGE, *CHANNELS[2:]]),
    "layer_norm": (lambda x, scale: F.layer_norm(x, [256], scale, scale), [ROWS, COLUMN]),
    "layer_norm_gelu": (lambda x: F.gelu(F.layer_norm(x, [256])), [ROWS]),
    "group_norm": (lambda x: F.group_norm(x, 4), [IMAGE]),
    "instance_norm": (lambda x: F.instance_norm(x), [IMAGE]),
    "rms_norm": (rms_norm, [ROWS, COLUMN]),
    "l2_normalise": (lambda x: F.normalize(x, dim=1), [ROWS]),
    "softmax": (lambda x: torch.softmax(x, -1), [ROWS]),
    "softmax_columns": (lambda x: torch.softmax(x, 0), [ROWS]),
    "log_softmax": (lambda x: torch.log_softmax(x, -1), [ROWS]),
    "masked_softmax": (
        # Not -inf: the backend calls Halide's fast_exp, which is NaN there on any target.
        lambda x, drop: torch.softmax(x.masked_fill(drop > 2, -30.0), -1), [ROWS, integers(4, 64, 256)]),
    "attention": (attention, [numbers(2, 4, 32, 32), numbers(32, 32), numbers(2, 4, 32, 16)]),
    "logsumexp": (lambda x: torch.logsumexp(x, 1), [ROWS]),
    "max_pool": (lambda x: F.max_pool2d(x, 2), [IMAGE]),
    "max_pool_padded": (lambda x: F.max_pool2d(x, 3, 2, 1), [IMAGE]),
    "avg_pool": (lambda x: F.avg_pool2d(x, 2), [IMAGE]),
    "avg_pool_padded": (lambda x: F.avg_pool2d(x, 3, 1, 1), [IMAGE]),
    "adaptive_max_pool": (lambda x: F.adaptive_max_pool2d(x, 4), [IMAGE]),
    "global_avg_pool": (lambda x: x.mean((2, 3)), [IMAGE]),
    "nearest": (lambda x: F.interpolate(x, scale_factor=2.0, mode="nearest"), [IMAGE]),
    "nearest_smaller": (lambda x: F.interpolate(x, size=(20, 12), mode="nearest"), [IMAGE]),
    "bilinear": (lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"), [IMAGE]),
    "bilinear_corners": (lambda x: F.interpolate(x, size=(50, 50), mode="bilinear", align_corners=True), [IMAGE]),
    "bicubic": (lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic"), [IMAGE]),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), [IMAGE]),
    "reflection_pad": (lambda x: F.pad(x, (2, 2, 2, 2), mode="reflect"), [IMAGE]),
    "mse": (F.mse_loss, [ROWS, numbers(64, 256, seed=1)]),
    "l1": (F.l1_loss, [ROWS, numbers(64, 256, seed=1)]),
    "smooth_l1": (F.smooth_l1_loss, [ROWS, numbers(64, 256, seed=1)]),
    "huber": (F.huber_loss, [ROWS, numbers(64, 256, seed=1)]),
    "cross_entropy": (F.cross_entropy, [ROWS, LABELS]),
    "kl": (lambda x, y: F.kl_div(x, torch.softmax(y, -1), reduction="batchmean"), [ROWS, numbers(64, 256, seed=1)]),
    "binary_cross_entropy": (
        F.binary_cross_entropy_with_logits, [ROWS, torch.sigmoid(numbers(64, 256, seed=1))]),
    "cosine_similarity": (F.cosine_similarity, [ROWS, numbers(64, 256, seed=1)]),
    "sgd": (sgd, STEP[:3]),
    "adam": (adam, STEP),
    "adamw": (adamw, STEP),
    "gather": (lambda x, index: torch.gather(x, 1, index), [ROWS, integers(256, 64, 32)]),
    "index_select": (lambda x, index: x.index_select(0, index) * 2, [ROWS, integers(64, 100)]),
    "embedding": (lambda index, table: F.embedding(index, table) + 1, [integers(64, 8, 16), ROWS]),
    "embedding_mean": (lambda index, table: F.embedding(index, table).mean(1), [integers(64, 8, 16), ROWS]),
    "one_hot": (lambda index: F.one_hot(index, 256), [LABELS]),
    "arg_max": (lambda x: x.argmax(1), [ROWS]),
    "min_and_max": (lambda x: (x.amin(1), x.amax(1)), [ROWS]),
    "integers": (lambda a, b: (a * 3 + b) // 7 % 11, [integers(1000, 5000), integers(99, 5000, seed=1)]),
    "bits": (lambda a, b: (a & b) ^ (a << 2) | (b >> 1),
             [integers(1000, 5000, dtype=torch.int32), integers(99, 5000, dtype=torch.int32, seed=1)]),
    "integer_sum": (lambda a: a.sum(1), [integers(1000, 64, 100)]),
    "bytes": (lambda a: (a.float() / 255 - 0.45) / 0.22, [integers(256, 3, 64, 64, dtype=torch.uint8)]),
    "double": (lambda a: torch.sin(a) * torch.exp(-a * a), [numbers(5000).double()]),
    "double_sum": (lambda a: a.sum(), [numbers(64, 256).double()]),
    "any_and_all": (lambda a: ((a > 2).any(1), (a > -5).all(1)), [ROWS]),
    "where": (lambda a, b: torch.where(a > b, a, torch.clamp(b, -1, 1)), [ROWS, numbers(64, 256, seed=1)]),
    "transpose": (lambda a: a.t().contiguous() + 1, [ROWS]),
    "total": (lambda a: a.sum(), [ROWS]),
    "variance": (lambda a: a.var(1), [ROWS]),
    "norm": (lambda a: torch.linalg.vector_norm(a), [ROWS]),
    "activations": (lambda a: F.silu(a) + F.mish(a) + F.elu(a) + F.hardswish(a), [ROWS]),
    "gated": (lambda a: F.glu(a), [ROWS]),
    "rotary": (rotary, [numbers(2, 4, 32, 16), numbers(32, 16, seed=1), numbers(32, 16, seed=2)]),
    "residual_block": (residual, [IMAGE, numbers(8, 8, 3, 3, seed=9) / 8, *CHANNELS, numbers(2, 8, 32, 32, seed=5)]),
    "up_block": (up_block, [IMAGE, numbers(2, 8, 64, 64), numbers(8, 16, 3, 3, seed=9) / 8]),
    "scalar": (lambda a: a * 2 + 1, [numbers(1)]),
    "roll": (lambda a: torch.roll(a, 3, 1) - a, [ROWS]),
    "stack": (lambda a, b: torch.stack([a, b], -1), [ROWS, numbers(64, 256, seed=1)]),
}
