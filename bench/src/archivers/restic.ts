import { join } from 'node:path'
import type { Bucket } from '@palisade/tests'
import { measureCommand } from '../measure.ts'
import type { Archiver, OpenArchiver } from './archiver.ts'

/** restic as it comes, with a repository on this disk. */
export const restic: OpenArchiver = (folder) => openRestic(folder, 'restic', join(folder, 'repository'))

/** The same, with its repository in a bucket. */
export function resticInBucket(name: string, bucket: Bucket, prefix: string): OpenArchiver {
  const repository = `s3:${bucket.endpoint}/${bucket.bucket}/${prefix}`
  const { accessKeyId, secretAccessKey } = bucket
  return (folder) =>
    openRestic(folder, name, repository, {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    })
}

async function openRestic(
  folder: string,
  name: string,
  repository: string,
  credentials: Readonly<Record<string, string>> = {},
): Promise<Archiver> {
  const environment = {
    RESTIC_PASSWORD: 'a password',
    RESTIC_CACHE_DIR: join(folder, 'cache'),
    ...credentials,
  }
  const run = (...argv: string[]) =>
    measureCommand({ argv: ['restic', '-q', '-r', repository, ...argv], environment })
  await run('init')
  return {
    name,
    repository,
    backUp: (image) => run('backup', image),
    restores: [
      { name: 'restic restore', into: (target) => run('restore', 'latest', '--target', target) },
      {
        name: 'restic restore --verify, sync',
        into: (target) =>
          measureCommand({
            argv: [
              ...[
                'sh',
                '-c',
                'restic -q -r "$1" restore latest --verify --target "$2" && sync -f "$2"',
                'sh',
              ],
              ...[repository, target],
            ],
            environment,
          }),
      },
    ],
    close: async () => {},
  }
}
