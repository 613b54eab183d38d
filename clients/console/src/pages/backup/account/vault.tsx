import { Loader, Stack } from '@mantine/core'
import { answer, shellWord } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bars } from '../../../components/bars.tsx'
import { Command, SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { FirstItems } from '../../../components/first-items.tsx'
import { bytesText } from '../../../format.ts'
import { mayReadAll, mayReadService } from '../../../rights.ts'
import { texts as shared } from '../../../texts.ts'
import { useSession } from '../../../use-session.ts'
import { type Computer, root } from '../data.ts'
import { texts as all } from '../texts.ts'
import { ChooseAccount } from './choose-account.tsx'
import { Damage } from './damage.tsx'

const texts = all.vault

/** Each of them is asked for by a call of its own. */
const computersAtOnce = 20

/** What the backups of an account take, what deduplication saves, who has the keys, and whether all is whole. */
export function VaultPage() {
  const session = useSession()
  const seesServer = mayReadAll(session)
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      {seesServer && <Storage />}
      {mayReadService(session, 'backup') && <Damage />}
      <ChooseAccount>{(account) => <Usage key={account} account={account} />}</ChooseAccount>
      {seesServer && <WholeCheck />}
    </>
  )
}

/** What only somebody at the server can do. */
function WholeCheck() {
  return (
    <>
      <h2 className="section-title">{texts.checks}</h2>
      <p>{texts.checksMean}</p>
      <Stack gap="xs">
        <Command line="palisade vault check --read-data --config palisade.yaml" />
        <Command line="palisade vault keys --config palisade.yaml" />
      </Stack>
    </>
  )
}

/** The room on the disk of the server. */
function Storage() {
  const { administration } = useSession()
  const system = useQuery({ queryKey: ['system'], queryFn: () => answer(administration.GET('/system')) })
  if (system.error) return <Failure error={system.error} />
  if (!system.data) return <Loader aria-label={shared.loading} />
  const { folder, freeBytes, totalBytes } = system.data.storage
  const used = totalBytes - freeBytes
  return (
    <section className="storage" aria-label={texts.storage}>
      <p>{texts.free(bytesText(freeBytes), bytesText(totalBytes), folder)}</p>
      <meter min={0} max={totalBytes} value={used} aria-label={texts.storage} title={bytesText(used)} />
    </section>
  )
}

function Usage({ account }: { readonly account: string }) {
  const { backup } = useSession()
  const path = { account_id: account }
  const computers = useQuery({
    queryKey: ['backup', 'vault computers', account],
    queryFn: () => answer(backup.GET('/v2/accounts/{account_id}/computers', { params: { path } })),
  })
  if (computers.error) return <Failure error={computers.error} />
  if (!computers.data) return <Loader aria-label={shared.loading} />
  return (
    <>
      <h2 className="section-title">{texts.computers}</h2>
      <FirstItems items={computers.data} step={computersAtOnce}>
        {(first) =>
          first.map((computer) => <UsageOf key={computer.id} account={account} computer={computer} />)
        }
      </FirstItems>
      <SameCall
        palisade={`palisade backup usage --account ${shellWord(account)}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computers.data[0]?.id ?? '')}/vault-usage`}
      />
    </>
  )
}

/** Three bars one below the other: what was backed up, what of it is different, and what that takes. */
function UsageOf({ account, computer }: { readonly account: string; readonly computer: Computer }) {
  const { backup } = useSession()
  const path = { account_id: account, computer_id: computer.id }
  const usage = useQuery({
    queryKey: ['backup', 'usage', account, computer.id],
    queryFn: () => answer(backup.GET(`${root}/vault-usage`, { params: { path } })),
    staleTime: 60_000,
  })
  return (
    <section className="volume" aria-label={computer.name}>
      <h3>
        <Link
          className="link"
          to="/backup/computers/$account/$computer"
          params={{ account, computer: computer.id }}
        >
          {computer.name}
        </Link>
      </h3>
      <p className="quiet note">
        {computer.endToEnd ? all.agent.ownKey(computer.endToEndKeyCheck ?? '') : all.agent.serverKey}
      </p>
      {usage.error && <Failure error={usage.error} />}
      {usage.isPending && <Loader size="sm" aria-label={shared.loading} />}
      {usage.data && <VaultUsage {...usage.data} />}
    </section>
  )
}

function VaultUsage({
  revisions,
  revisionBytes,
  chunkBytes,
  storedBytes,
}: {
  readonly revisions: number
  readonly revisionBytes: number
  readonly chunkBytes: number
  readonly storedBytes: number
}) {
  if (revisions === 0) return <p>{all.computers.noBackup}</p>
  const saved = Math.max(0, Math.round((1 - storedBytes / revisionBytes) * 100))
  const bars = [
    [texts.held(revisions), revisionBytes],
    [texts.different, chunkBytes],
    [texts.stored, storedBytes],
  ] as const
  return (
    <>
      <Bars
        of={revisionBytes}
        bars={bars.map(([label, bytes]) => ({
          label,
          value: bytes,
          color: 'var(--mantine-color-blue-6)',
          text: bytesText(bytes),
        }))}
      />
      <p>{texts.saved(saved)}</p>
    </>
  )
}
