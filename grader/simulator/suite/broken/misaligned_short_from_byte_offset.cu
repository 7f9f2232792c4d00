// check: --kernel ReadShorts --grid 1 --block 32 --arg uint8[128]=integers
//        --arg int16[32]=unwritten
// expect: misaligned -- shorts are read from odd byte addresses
// line: 9
// Reads 16-bit samples after a one-byte header.
__global__ void ReadShorts(const unsigned char* stream, short* samples) {
  const short* body = reinterpret_cast<const short*>(stream + 1);
  const int i = threadIdx.x;
  const short sample = body[i];
  samples[i] = sample;
}
