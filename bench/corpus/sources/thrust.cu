// Thrust: lambdas, zip iterators, tuples, sorting with a comparator.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
struct Saxpy { float a; __host__ __device__ float operator()(thrust::tuple<float, float> t) const { return a * thrust::get<0>(t) + thrust::get<1>(t); } };
struct Later { __host__ __device__ bool operator()(double a, double b) const { return a * a > b * b; } };
double work(thrust::device_vector<float> &x, thrust::device_vector<float> &y, thrust::device_vector<double> &z) {
    auto both = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    thrust::transform(both, both + x.size(), y.begin(), Saxpy{2.5f});
    thrust::sort(z.begin(), z.end(), Later{});
    thrust::sort_by_key(x.begin(), x.end(), y.begin());
    return thrust::reduce(z.begin(), z.end(), 0.0, thrust::plus<double>());
}
