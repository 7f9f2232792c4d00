// check: --kernel ReadWords --grid 1 --block 32 --arg uint8[192]=integers
//        --arg uint32[32]=unwritten
// expect: misaligned -- packed records of five bytes do not keep their words aligned
// line: 9
// Reads the word after the tag byte of every record.
__global__ void ReadWords(const unsigned char* records, unsigned* words) {
  const unsigned char* record = records + 5 * threadIdx.x;
  const unsigned* payload = reinterpret_cast<const unsigned*>(record + 1);
  const unsigned word = *payload;
  words[threadIdx.x] = word;
}
