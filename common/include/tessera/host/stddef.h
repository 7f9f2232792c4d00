// What device code needs of this header is built in.
