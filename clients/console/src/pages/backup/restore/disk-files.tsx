import { Alert } from '@mantine/core'
import { shellWord } from '@palisade/sdk'
import { Command } from '../../../components/command.tsx'
import { texts as all } from '../texts.ts'

const texts = all.diskFiles
/** Where a share is mounted. */
const mountPoint = '/media'

/** Where restored disks lie, and how to get at what is on them. */
export function DiskFiles({
  destination,
  files,
}: {
  readonly destination: string
  readonly files: readonly string[]
}) {
  const [first = destination] = files
  const share = shareOf(first)
  return (
    <>
      <Alert color="green" title={texts.done(files.length)}>
        {texts.verified}
      </Alert>
      <h2 className="section-title">{texts.files(files.length)}</h2>
      {files.map((file) => (
        <Command key={file} line={file} />
      ))}
      <h2 className="section-title">{texts.open}</h2>
      <p>{share === undefined ? texts.onLinux : texts.onLinuxOfShare}</p>
      {share !== undefined && (
        <Command line={`sudo mount -t cifs ${shellWord(share.name)} ${mountPoint} -o ro,username=NAME`} />
      )}
      <Command
        line={`guestmount --add ${shellWord(share === undefined ? first : `${mountPoint}/${share.path}`)} --mount /dev/sda1 --ro /mnt`}
      />
      <p>{texts.onWindows}</p>
      <Command
        line={`Mount-DiskImage -Access ReadOnly -ImagePath '${(share?.windowsPath ?? first).replaceAll("'", "''")}'`}
      />
    </>
  )
}

/** A file on a network share, however its path is written; undefined for any other. */
function shareOf(file: string) {
  const [, server, share, path] = /^[/\\]{2}([^/\\]+)[/\\]([^/\\]+)[/\\](.+)$/.exec(file) ?? []
  if (path === undefined) return undefined
  return {
    name: `//${server}/${share}`,
    path: path.replaceAll('\\', '/'),
    windowsPath: file.replaceAll('/', '\\'),
  }
}
