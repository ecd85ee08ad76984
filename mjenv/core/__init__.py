"""What every mahjong game here shares: kernels, tiles, randomness, lookup tables, records."""
