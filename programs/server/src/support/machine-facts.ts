import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, cpus, freemem, hostname, loadavg, release, totalmem, uptime } from 'node:os'
import { ownVersion } from '@palisade/start-up'

/** What somebody who helps has to know of the machine and of the program; sizes in bytes, times in seconds. */
export function machineFacts(dataDirectory: string): Readonly<Record<string, unknown>> {
  return {
    palisade: ownVersion(import.meta.url),
    node: process.versions,
    platform: process.platform,
    architecture: process.arch,
    system: osRelease(),
    kernel: release(),
    isContainer: isContainer(),
    host: hostname(),
    user: process.getuid?.(),
    processors: { available: availableParallelism(), model: cpus()[0]?.model, load: loadavg() },
    memory: {
      totalBytes: totalmem(),
      freeBytes: freemem(),
      availableToProcessBytes: process.availableMemory(),
    },
    uptimeSeconds: uptime(),
    now: new Date().toISOString(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    disk: diskOf(dataDirectory),
  }
}

function osRelease(): string | undefined {
  const name = /^PRETTY_NAME="?(.*?)"?$/m
  return name.exec(textOf('/etc/os-release') ?? '')?.[1]
}

function isContainer(): boolean {
  const hasMarker = ['/.dockerenv', '/run/.containerenv'].some((file) => textOf(file) !== undefined)
  return hasMarker || process.env.container !== undefined
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function diskOf(folder: string): object | string {
  try {
    const { bavail, blocks, bsize, files, ffree, type } = statfsSync(folder)
    return {
      folder,
      type: `0x${type.toString(16)}`,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      freeFiles: ffree,
      totalFiles: files,
    }
  } catch (error) {
    return `${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
