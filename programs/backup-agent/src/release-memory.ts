/**
 * Frees the memory of a large buffer that nobody uses any more, instead of waiting for the garbage collector,
 * which is in no hurry about memory outside of its heap. Nothing may refer to the buffer: no write to a socket
 * that is under way, for example.
 */
export function releaseMemory(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}
