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

/** S3-compatible storage as a program of its own, empty at first. */
export async function startS3(): Promise<{ readonly bucket: Bucket; stop(): Promise<void> }> {
  const program = join(root, 'libraries', 'vault', 'src', 'testing', 's3-program.ts')
  const child = spawn(process.execPath, ['--conditions=source', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { bucket, endpoint, credentials } = JSON.parse(line)
  return {
    bucket: { bucket, endpoint, ...credentials },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
