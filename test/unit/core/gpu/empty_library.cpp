// A shared library that is no CUDA driver.
extern "C" int nothing_of_cuda() {
    return 0;
}
