import autoschedule_gpu
import halide as hl

x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image")
negative = hl.Func("negative")
negative[x, y] = 255 - image[x, y]
negative.set_estimates([hl.Range(0, 1536), hl.Range(0, 1024)])  # the sizes to be fast at
image.set_estimates([hl.Range(0, 1536), hl.Range(0, 1024)])

made = autoschedule_gpu.schedule(negative, hl.Target("host-opencl"), time_limit_s=30)
print(made.python)  # it is applied already; this is the same as text
print(f"{made.report['predicted_us']:.1f} us predicted on {made.report['gpu']}")
