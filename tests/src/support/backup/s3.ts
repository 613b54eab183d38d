import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../repository/root.ts'

/** How a server's configuration names the bucket. */
export interface Bucket {
  readonly bucket: string
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What happens to requests on their way to the storage: see `Disturbance` in libraries/vault/src/testing/s3-relay.ts. */
export interface StorageDisturbance {
  readonly delayMs?: number
  readonly failEvery?: number
  readonly away?: 'refusing' | 'silent'
  readonly hidden?: { readonly names: string; readonly from: 'reading' | 'listing' | 'both' }
  readonly unstored?: string
  readonly refusal?: { readonly status: number; readonly code: string; readonly methods?: readonly string[] }
}

/** A storage that runs, and can be disturbed. */
export interface RunningS3 {
  readonly bucket: Bucket
  /** From now on. @returns how many requests came so far, and how many of them were made to fail */
  disturb(disturbance: StorageDisturbance): Promise<{ readonly requests: number; readonly failures: number }>
  stop(): Promise<void>
}

/**
 * S3-compatible storage as a program of its own, empty at first.
 *
 * @param host an address of this machine where it listens
 */
export async function startS3(host = '127.0.0.1'): Promise<RunningS3> {
  const program = join(root, 'libraries', 'vault', 'src', 'testing', 's3-program.ts')
  const child = spawn(process.execPath, ['--conditions=source', program, host], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse((await lines.next()).value ?? '')
  const { bucket, endpoint, credentials } = await answer()
  return {
    bucket: { bucket, endpoint, ...credentials },
    disturb: async (disturbance) => {
      child.stdin.write(`${JSON.stringify(disturbance)}\n`)
      return answer()
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
