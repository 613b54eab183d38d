/** An agent tells of no more volumes than these. */
export const volumesMax = 1000

/** A server asks about no more sources at once than these … */
export const checkedSourcesMax = 256
/** … and an agent says of each in no more characters what stands against it. */
export const sourceFaultLengthMax = 4096

/**
 * A server cuts the link of an agent that sends more in one message. A hello names the tasks that run, an outcome the files that were
 * written: 256 at most, each in a folder of up to 4096 characters, which are up to three bytes each.
 */
export const agentMessageSizeMaxBytes = 4 * 1024 * 1024

/** A restore has one revision per volume, and nobody has so many volumes. */
export const restoredRevisionsMax = 256

/**
 * An agent cuts the link of a server that sends more in one message. The largest is a restore of 256 revisions, each with the up to 512
 * parts of the frame of its disk: 30 KB a revision.
 */
export const serverMessageSizeMaxBytes = 16 * 1024 * 1024

/** How many chunks of a revision may be patched, 16 GiB at the usual size: what an agent knows of each takes it about a kibibyte of memory. */
export const patchedChunksMax = 32_768

/** So many folders and shares an agent names at most as those that restores may write to … */
export const restoreFoldersMax = 64
/** … each with at most so many characters. */
export const folderLengthMax = 4096

/** Chunks of a vault have at least so many bytes … */
export const chunkSizeMinBytes = 4096
/** … and at most so many. */
export const chunkSizeMaxBytes = 16 * 1024 * 1024
/** A volume of 64 TiB in chunks of 512 KiB: a bit for each takes 16 MiB. */
export const chunkCountMax = 2 ** 27

/** UTF-16 units, which every supported hypervisor takes. */
export const machineNameLengthMax = 100

/** Whether a text can be the name of a machine on every host: one line that shows, without blanks at its ends. */
export function isMachineName(name: string): boolean {
  const hasLength = name.length > 0 && name.length <= machineNameLengthMax
  return hasLength && name.trim() === name && !/\p{Cc}/u.test(name) && name.isWellFormed()
}

/** A picture of a screen is a PNG of at most so many bytes; machines draw 1280 by 800 points until a driver is there. */
export const screenshotSizeMaxBytes = 4 * 1024 * 1024

/** RFC 2083, section 3.1. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Whether these bytes begin as a PNG does and are not more than are taken. */
export function isScreenshot(bytes: Buffer): boolean {
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature)
  return isPng && bytes.length > pngSignature.length && bytes.length <= screenshotSizeMaxBytes
}
