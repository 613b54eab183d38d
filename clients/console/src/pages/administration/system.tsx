import './system.css'
import { Loader } from '@mantine/core'
import { type AdministrationSchemas, answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { SameCall } from '../../components/command.tsx'
import { Failure } from '../../components/failure.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { State } from '../../components/state.tsx'
import { Time } from '../../components/time.tsx'
import { texts as shared } from '../../texts.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.system
const gigabytes = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'gigabyte',
  maximumFractionDigits: 1,
})
const megabytes = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
})

/** Below this share of free space the storage is filling up. */
const freeShareWarning = 0.1
const refreshMs = 10_000

type System = AdministrationSchemas['schemas']['System']

/** The server that answers: its version, its database and its storage. */
export function SystemPage() {
  const { administration } = useSession()
  const system = useQuery({
    queryKey: ['system'],
    queryFn: () => answer(administration.GET('/system')),
    refetchInterval: refreshMs,
  })
  if (system.isError) return <Failure error={system.error} tryAgain={() => void system.refetch()} />
  if (!system.data) return <Loader aria-label={shared.loading} />
  const { server, version, node, startedAt, database, storage, services } = system.data
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div className="cards">
        <section className="card">
          <h2 className="section-title">{texts.server}</h2>
          <dl className="facts">
            <dt>{texts.name}</dt>
            <dd>{server}</dd>
            <dt>{texts.version}</dt>
            <dd>{version}</dd>
            <dt>{texts.node}</dt>
            <dd>{node}</dd>
            <dt>{texts.startedAt}</dt>
            <dd>
              <Time at={startedAt} />
            </dd>
            <dt>{texts.database}</dt>
            <dd>
              {texts.databases[database.kind]}, {sizeText(database.sizeBytes ?? 0)}
            </dd>
          </dl>
        </section>
        <Storage storage={storage} />
      </div>
      <h2 className="section-title">{texts.services}</h2>
      <ul className="cards">
        {services.map(({ name, warnings }) => (
          <li key={name} className="card">
            <h3>{name}</h3>
            <p>
              <State state={warnings.length === 0 ? 'good' : 'warning'}>
                {warnings.length === 0 ? texts.fine : texts.hasWarnings}
              </State>
            </p>
            {warnings.map(({ condition, message }) => (
              <p key={`${condition} ${message}`}>{message}</p>
            ))}
          </li>
        ))}
      </ul>
      <SameCall palisade="palisade status" path="/admin/v1/system" />
    </>
  )
}

function Storage({ storage }: { readonly storage: System['storage'] }) {
  const { folder, freeBytes, totalBytes } = storage
  const isFilling = freeBytes / totalBytes < freeShareWarning
  return (
    <section className="card">
      <h2 className="section-title">{texts.storage}</h2>
      <p>
        <code>{folder}</code>
      </p>
      <div className="meter" data-state={isFilling ? 'warning' : 'good'} aria-hidden="true">
        <div style={{ width: `${(1 - freeBytes / totalBytes) * 100}%` }} />
      </div>
      <p>
        {sizeText(freeBytes)} {texts.free} {sizeText(totalBytes)}
      </p>
    </section>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1e9 ? megabytes.format(bytes / 1e6) : gigabytes.format(bytes / 1e9)
}
