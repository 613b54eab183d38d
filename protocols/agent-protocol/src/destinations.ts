/**
 * Whether restores may write to a folder, by its name alone: it is one of those that the owner of the computer allows, or lies below
 * one. Links are for the agent to follow.
 *
 * @param path of a folder of the computer, or of a share in one of its spellings (`\\server\share`, `//server/share`, `smb://…`)
 * @param allowed in the same spellings
 */
export function isAllowedDestination(path: string, allowed: readonly string[]): boolean {
  const requested = partsOf(path)
  return requested !== undefined && allowed.some((folder) => isAtOrBelow(requested, partsOf(folder)))
}

const share = /^(?:\\\\|\/\/|smb:[\\/]{2})/i

/** The names on the way to a folder, the first of which says where it begins; undefined of a path that leads nowhere. */
function partsOf(path: string): readonly string[] | undefined {
  if (share.test(path)) {
    const [host = '', name = '', ...folders] = path.replace(share, '').split(/[\\/]/)
    const below = settled(folders)
    // Servers and shares are called the same in capitals.
    return below && ['share', host.toLowerCase(), name.toLowerCase(), ...below]
  }
  const drive = /^[a-z]:(?=[\\/])/i.exec(path)?.[0]
  if (drive !== undefined) {
    const below = settled(path.slice(drive.length).split(/[\\/]/))
    return below && [drive.toLowerCase(), ...below]
  }
  const below = path.startsWith('/') ? settled(path.split('/')) : undefined
  return below && ['/', ...below]
}

/** Without empty names, `.` and `..`; undefined when that leads above the beginning. */
function settled(names: readonly string[]): string[] | undefined {
  const parts: string[] = []
  for (const name of names) {
    if (name === '..' && parts.pop() === undefined) return undefined
    if (name !== '' && name !== '.' && name !== '..') parts.push(name)
  }
  return parts
}

function isAtOrBelow(requested: readonly string[], folder: readonly string[] | undefined): boolean {
  return folder?.every((name, index) => requested[index] === name) === true
}
