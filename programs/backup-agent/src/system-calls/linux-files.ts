/**
 * What Linux does with a file's blocks and Node has no function for: lseek(2) with SEEK_DATA and SEEK_HOLE, ioctl(2),
 * fallocate(2), sync_file_range(2), posix_fadvise(2), and renameat2(2).
 * The library that calls it is loaded when it is first needed, so that an agent without images goes without.
 */

/** Calls of Linux on an open file. They hold the thread up for as long as the system takes. */
export interface LinuxFileCalls {
  /**
   * Moves the position of a descriptor.
   *
   * @returns the new position, or how the system calls its refusal (errno, such as 6 for ENXIO)
   */
  seek(descriptor: number, offsetBytes: number, whence: number): number | { readonly errno: number }
  /**
   * Has a request answered into memory.
   *
   * @returns undefined when it was, else how the system calls its refusal
   */
  control(descriptor: number, request: number, memory: Uint8Array): { readonly errno: number } | undefined
  /**
   * Gives a part of a file room on the disk. What nobody has written there is zeros, as before.
   *
   * @returns undefined when it has that, else how the system calls its refusal
   */
  allocate(descriptor: number, offsetBytes: number, sizeBytes: number): { readonly errno: number } | undefined
  /** Has what was written to a part of a file go to the disk from now on. What goes wrong there is told by who waits for the file, as fsync(2) does. */
  beginWriteback(descriptor: number, offsetBytes: number, sizeBytes: number): void
  /** Waits until what was written to a part of a file is on the disk, or cannot get there, which is told in the same way. */
  finishWriteback(descriptor: number, offsetBytes: number, sizeBytes: number): void
  /** Has the system forget a part of a file, but for what is not on the disk yet. */
  dropFromCache(descriptor: number, offsetBytes: number, sizeBytes: number): void
  /** Renames a file unless the new name is taken; a refusal says how the system calls it (17, EEXIST, for a name that is). */
  renameWithoutReplacing(from: string, to: string): 'done' | { readonly errno: number }
}

/** `SYNC_FILE_RANGE_WRITE`. */
const writebackOnly = 2
/** The same with `SYNC_FILE_RANGE_WAIT_BEFORE` and `SYNC_FILE_RANGE_WAIT_AFTER`. */
const writebackAndWait = 7
/** `AT_FDCWD`: paths are as they are anywhere else. */
const workingFolder = -100
/** `RENAME_NOREPLACE`. */
const withoutReplacing = 1
/** `POSIX_FADV_DONTNEED`, which has another number on one of the architectures. */
const notNeeded = process.arch === 's390x' ? 6 : 4

/** Where numbers of requests are made as in `asm-generic/ioctl.h`; MIPS and PowerPC have their own. */
const architectures: ReadonlySet<string> = new Set([
  'x64',
  'arm64',
  'arm',
  'ia32',
  'riscv64',
  'loong64',
  's390x',
])

let loading: Promise<LinuxFileCalls | undefined> | undefined

/** The calls; undefined on other systems, and where the C library is another one than glibc. */
export function linuxFileCalls(): Promise<LinuxFileCalls | undefined> {
  loading ??= load()
  return loading
}

async function load(): Promise<LinuxFileCalls | undefined> {
  if (process.platform !== 'linux' || !architectures.has(process.arch)) return undefined
  try {
    const { default: koffi } = await import('koffi')
    const library = koffi.load('libc.so.6')
    // lseek has 32 bits for a place on some of these machines, lseek64 on none.
    const lseek64 = library.func('int64_t lseek64(int, int64_t, int)')
    const fallocate64 = library.func('int fallocate64(int, int, int64_t, int64_t)')
    const syncFileRange = library.func('int sync_file_range(int, int64_t, int64_t, unsigned int)')
    const fadvise64 = library.func('int posix_fadvise64(int, int64_t, int64_t, int)')
    const renameat2 = library.func('int renameat2(int, str, int, str, unsigned int)')
    const ioctl = library.func('int ioctl(int, unsigned long, _Inout_ uint8_t *)')
    return {
      seek: (descriptor, offsetBytes, whence) => {
        const position = Number(lseek64(descriptor, offsetBytes, whence))
        return position < 0 ? { errno: koffi.errno() } : position
      },
      control: (descriptor, request, memory) =>
        ioctl(descriptor, request, memory) < 0 ? { errno: koffi.errno() } : undefined,
      allocate: (descriptor, offsetBytes, sizeBytes) =>
        fallocate64(descriptor, 0, offsetBytes, sizeBytes) < 0 ? { errno: koffi.errno() } : undefined,
      beginWriteback: (descriptor, offsetBytes, sizeBytes) => {
        syncFileRange(descriptor, offsetBytes, sizeBytes, writebackOnly)
      },
      finishWriteback: (descriptor, offsetBytes, sizeBytes) => {
        syncFileRange(descriptor, offsetBytes, sizeBytes, writebackAndWait)
      },
      dropFromCache: (descriptor, offsetBytes, sizeBytes) => {
        fadvise64(descriptor, offsetBytes, sizeBytes, notNeeded)
      },
      renameWithoutReplacing: (from, to) =>
        renameat2(workingFolder, from, workingFolder, to, withoutReplacing) < 0
          ? { errno: koffi.errno() }
          : 'done',
    }
  } catch {
    // No library for this machine: files are then read whole, as on other systems.
    return undefined
  }
}
