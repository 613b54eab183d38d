import { Alert } from '@mantine/core'
import { shellWord } from '@palisade/sdk'
import { Command } from '../../../components/command.tsx'
import { texts as all } from '../texts.ts'

const texts = all.diskFiles

/** Where restored disks lie, and how to get at what is on them. */
export function DiskFiles({
  destination,
  files,
}: {
  readonly destination: string
  readonly files: readonly string[]
}) {
  const [first = destination] = files
  const share = first.startsWith('//') ? first.replaceAll('/', '\\') : first
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
      <p>{texts.onLinux}</p>
      <Command line={`guestmount --add ${shellWord(first)} --mount /dev/sda1 --ro /mnt`} />
      <p>{texts.onWindows}</p>
      <Command line={`Mount-DiskImage -Access ReadOnly -ImagePath '${share.replaceAll("'", "''")}'`} />
    </>
  )
}
