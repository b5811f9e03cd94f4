// Alignment of two sequences: blocks along a diagonal of tiles, threads along diagonals inside one.
#include "program.h"

constexpr int kTile = 16;
__constant__ signed char similarity[4][4];

__global__ void align(const char *a, const char *b, int *score, int n, int diagonal, int gap) {
    __shared__ int tile[kTile + 1][kTile + 1];
    int tx = diagonal - blockIdx.x, ty = blockIdx.x;
    if (tx < 0 || tx >= n / kTile || ty >= n / kTile) return;
    int width = n + 1, x = tx * kTile, y = ty * kTile, t = threadIdx.x;
    tile[0][t + 1] = score[y * width + x + t + 1];
    tile[t + 1][0] = score[(y + t + 1) * width + x];
    if (t == 0) tile[0][0] = score[y * width + x];
    __syncthreads();
    for (int d = 0; d < 2 * kTile - 1; ++d) {
        int j = d - t;
        if (j >= 0 && j < kTile) {
            int match = tile[t][j] + similarity[(int)a[y + t]][(int)b[x + j]];
            tile[t + 1][j + 1] = max(match, max(tile[t][j + 1], tile[t + 1][j]) - gap);
        }
        __syncthreads();
    }
    for (int i = 0; i < kTile; ++i) score[(y + i + 1) * width + x + t + 1] = tile[i + 1][t + 1];
}

int main() {
    const int n = 20 * kTile, gap = 3, width = n + 1;
    signed char table[4][4];
    Random random;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) table[i][j] = i == j ? 5 : -static_cast<int>(random.next() % 5);
    CHECK(cudaMemcpyToSymbol(similarity, table, sizeof table));
    std::vector<char> a(n), b(n);
    for (int i = 0; i < n; ++i) {
        a[i] = random.next() % 4;
        b[i] = random.next() % 4;
    }
    std::vector<int> wanted(width * width);
    for (int i = 0; i <= n; ++i) wanted[i] = wanted[i * width] = -gap * i;
    Device<int> score(wanted);
    Device<char> da(a), db(b);
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= n; ++j)
            wanted[i * width + j] =
                std::max(wanted[(i - 1) * width + j - 1] + table[(int)a[i - 1]][(int)b[j - 1]],
                         std::max(wanted[(i - 1) * width + j], wanted[i * width + j - 1]) - gap);
    for (int d = 0; d < 2 * (n / kTile) - 1; ++d)
        align<<<std::min(d + 1, n / kTile), kTile>>>(da, db, score, n, d, gap);
    CHECK(cudaGetLastError());
    std::vector<int> got = score.host();
    for (int i = 0; i < width * width; ++i) expect("score", i, got[i], wanted[i]);
    return verdict();
}
