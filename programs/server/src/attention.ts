import { stat, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AttentionSource, ServiceAttention } from '@palisade/administration'
import type { Attention, Figure, HttpService, ServiceWarning, Severity } from '@palisade/platform'

type Part = Pick<HttpService, 'name' | 'warnings' | 'attention'>

/** What to do about warnings, and how grave they are where that is more than "warning". */
const warnings: Readonly<Record<string, { readonly remedy: string; readonly severity?: Severity }>> = {
  'no-rules': { remedy: 'palisade rules install --debian --if-missing', severity: 'critical' },
  'rules-notice': { remedy: 'palisade rules status' },
  'unserved-services': {
    remedy: 'GET /readyz names the services; give them a free address and port',
    severity: 'critical',
  },
  'logins-refused': {
    remedy:
      'GET services/NAME?category=operational says why; name a realm that proxies can ask, or switch authentication off',
    severity: 'critical',
  },
  'certificate-expiry': { remedy: 'replace the certificate that is named' },
  'listener-closed': {
    remedy: 'end what listens there (ss -ltnp), or name another address and palisade config reload',
    severity: 'critical',
  },
  'readable-configuration': { remedy: 'chmod 600, for the configuration file' },
  'damaged-database': {
    remedy: 'docs/operating/emergencies.md says how to bring it back',
    severity: 'critical',
  },
  'data-not-writable': {
    remedy: 'df -h and mount, for the data directory; docs/operating/emergencies.md#the-disk-is-full',
    severity: 'critical',
  },
  'clock-set-ahead': { remedy: 'date, and timedatectl where the clock is wrong. Putting it right ends this' },
  'unknown-user': { remedy: 'palisade config check FILE' },
  'unknown-account': { remedy: 'palisade config check FILE' },
}

/** Below these shares of a file system it is filling up. */
const freeShareWarning = 0.1
const freeShareCritical = 0.03
/** A file system with this much left is not filling up, however large it is. */
const freeBytesEnough = 100 * 1024 ** 3

/**
 * Where the administration asks what needs attention: the services, the warnings of each on this server, and the disk.
 *
 * @param folders where a disk that fills up would do harm
 */
export function attentionSources(parts: readonly Part[], folders: readonly string[]): AttentionSource[] {
  return [
    ...parts.flatMap(({ name, attention }) =>
      attention === undefined
        ? []
        : [{ service: name, isOfServer: false, read: async () => (await attention())?.filter(isShared) }],
    ),
    ...parts.map(({ name, warnings: of, attention }) => ({
      service: name,
      isOfServer: true,
      read: async () => [
        ...attentionOf(of?.() ?? []),
        ...((await attention?.()) ?? []).filter((one) => !isShared(one)),
      ],
    })),
    { service: 'disk', isOfServer: true, read: () => diskAttention(folders) },
  ]
}

/** The folder of the vault, where the configuration names one of its own and this server has it. */
export function foldersOfVault({
  serve,
  vault,
}: {
  readonly serve: boolean
  readonly vault?: { readonly directory?: string | undefined } | undefined
}): string[] {
  return serve && vault?.directory !== undefined ? [resolve(vault.directory)] : []
}

/** How many conditions of each sort there are, for Prometheus. */
export function attentionFigures(
  attention: readonly ServiceAttention[],
): Figure<'service' | 'condition' | 'severity'>[] {
  const alike = Map.groupBy(attention, ({ service, condition, severity }) =>
    JSON.stringify([service, condition, severity]),
  )
  return Array.from(alike.values(), ([first, ...others]) => ({
    labels: {
      service: first?.service ?? '',
      condition: first?.condition ?? '',
      severity: first?.severity ?? '',
    },
    value: 1 + others.length,
  }))
}

/** Whether all servers can tell of it. */
function isShared({ isOfServer }: Attention): boolean {
  return isOfServer !== true
}

/** Warnings of one condition are one thing to do. */
function attentionOf(list: readonly ServiceWarning[]): Attention[] {
  const byCondition = Map.groupBy(list, ({ condition }) => condition)
  return Array.from(byCondition, ([condition, alike]) => {
    const { remedy = 'GET /readyz', severity = 'warning' } = warnings[condition] ?? {}
    return {
      condition,
      subject: '',
      severity: alike.find((warning) => warning.severity !== undefined)?.severity ?? severity,
      message: alike.map(({ message }) => message).join(' '),
      remedy,
    }
  })
}

/** Which file systems of some folders are filling up; of those on the same one the first folder is named. */
async function diskAttention(folders: readonly string[]): Promise<Attention[]> {
  const devices = await Promise.all(
    folders.map(async (folder) => ({ folder, device: (await stat(folder).catch(() => undefined))?.dev })),
  )
  const apart = [...Map.groupBy(devices, ({ device }) => device)].flatMap(([device, [first]]) =>
    device === undefined || first === undefined ? [] : first.folder,
  )
  return (await Promise.all(apart.map(folderAttention))).flat()
}

/** Whether the file system of a folder is filling up. */
async function folderAttention(folder: string): Promise<Attention[]> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const share = bavail / blocks
  const freeBytes = bavail * bsize
  if (share >= freeShareWarning || freeBytes >= freeBytesEnough) return []
  return [
    {
      condition: 'disk-filling-up',
      subject: folder,
      severity: share < freeShareCritical ? 'critical' : 'warning',
      message: `The file system of ${folder} has ${(share * 100).toFixed(1)} % left, ${Math.floor(freeBytes / 1024 ** 2)} MiB.`,
      remedy: `df -h ${folder}; then make room or enlarge the file system`,
    },
  ]
}
