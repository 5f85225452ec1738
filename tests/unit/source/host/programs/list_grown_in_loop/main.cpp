// A list that a counted loop fills has as many elements as the loop has rounds; one that is filled under a condition,
// or that something else in the loop changes, has an unknown number.
#include <CL/cl.h>
#include <cstdlib>
#include <vector>

struct Options {
    std::vector<float> spot, strike, cheap, cut;
};

static Options make_options(std::size_t count)
{
    Options made;
    for (std::size_t i = 0; i < count; i++) {
        made.spot.push_back(5.0f + std::rand() % 25);
        made.strike.push_back(made.spot.back() * 0.5f);
        if (std::rand() % 2) made.cheap.push_back(made.spot.back());
        made.cut.push_back(1.0f);
        if (std::rand() % 2) made.cut.pop_back();
    }
    return made;
}

static void launch(cl_command_queue queue, cl_kernel kernel, std::size_t global)
{
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
}

int main(int argc, char** argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 8192;
    const Options options = make_options(count);
    cl_program program = clCreateProgramWithSource(0, 0, 0, 0, 0);
    cl_command_queue queue = clCreateCommandQueue(0, 0, 0, 0);
    launch(queue, clCreateKernel(program, "spot", 0), options.spot.size());
    launch(queue, clCreateKernel(program, "strike", 0), 64 * options.strike.size());
    launch(queue, clCreateKernel(program, "cheap", 0), options.cheap.size());
    launch(queue, clCreateKernel(program, "cut", 0), options.cut.size());
}
