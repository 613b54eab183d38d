import { Badge, Button, Group, Loader } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SameCall } from '../../../components/command.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { texts as shared } from '../../../texts.ts'
import {
  computerOptions,
  type Restore,
  type Revision,
  refreshMs,
  root,
  useComputer,
  useMayChange,
  volumeName,
  volumesQuery,
} from '../data.ts'
import { ProofVerdict } from '../revisions/proof-verdict.tsx'
import { texts as all } from '../texts.ts'
import { RemoveMachine } from './remove-machine.tsx'

const texts = all.machines
/** So many restores, the newest, are looked through for machines. */
const lookedAt = 1000

/** The machines that restores made and that are there, and whether it is proved that the newest backups start. */
export function MachinesPage() {
  const { account, computer, client, path } = useComputer()
  const isAllowed = useMayChange()
  const restores = useQuery({
    queryKey: ['backup', 'machines', path],
    queryFn: () => answer(client.GET(`${root}/restores`, { params: { path, query: { limit: lookedAt } } })),
    refetchInterval: refreshMs * 2,
  })
  const volumes = useQuery({ ...volumesQuery(client, path), refetchInterval: refreshMs * 5 })
  const failure = restores.error ?? volumes.error
  if (failure) return <Failure error={failure} tryAgain={() => void restores.refetch()} />
  if (!restores.data || !volumes.data) return <Loader aria-label={shared.loading} />
  const machines = restores.data.filter(({ machine, proof }) => machine && machine.state !== 'NONE' && !proof)
  const boots = volumes.data.filter(({ IsBoot }) => IsBoot)
  return (
    <>
      <h1 className="page-title">{texts.title}</h1>
      {machines.length === 0 && <p>{texts.none}</p>}
      {machines.map((restore) => (
        <Machine key={restore.id} restore={restore} />
      ))}
      {isAllowed && boots.length > 0 && (
        <Link
          className="action-link"
          to="/backup/computers/$account/$computer/restore"
          params={{ account, computer }}
          search={{ where: 'machine' }}
        >
          {texts.make}
        </Link>
      )}
      <h2 className="section-title">{texts.proofs}</h2>
      {boots.length === 0 && <p>{texts.noBoot}</p>}
      {boots.map((newest) => (
        <NewestProof key={newest.DeviceId} newest={newest} />
      ))}
      <SameCall
        palisade={`palisade backup restores ${computerOptions({ account, computer })}`}
        path={`/backup/v2/accounts/${encodeURIComponent(account)}/computers/${encodeURIComponent(computer)}/restores`}
      />
    </>
  )
}

function Machine({ restore }: { readonly restore: Restore }) {
  const { account, computer } = useComputer()
  const [isRemoving, setIsRemoving] = useState(false)
  const isAllowed = useMayChange()
  if (restore.machine === null) return null
  const { name, hostName, state, recoveryType } = restore.machine
  return (
    <section className="volume" aria-label={name}>
      <Group justify="space-between" align="start">
        <div>
          <h2>
            {name} <Badge variant="default">{texts.states[state]}</Badge>
          </h2>
          <p className="quiet note">
            {texts.on(hostName)} · {texts.networks[recoveryType]} · <Time at={restore.started} />
          </p>
          <p className="quiet note">{restore.files.join(', ')}</p>
        </div>
        {isAllowed && (
          <Button variant="default" size="xs" aria-haspopup="dialog" onClick={() => setIsRemoving(true)}>
            {all.machineResult.remove}
          </Button>
        )}
      </Group>
      <Link
        className="link"
        to="/backup/computers/$account/$computer/restores/$restore"
        params={{ account, computer, restore: restore.id }}
      >
        {texts.restore}
      </Link>
      {isRemoving && <RemoveMachine restore={restore} name={name} onClose={() => setIsRemoving(false)} />}
    </section>
  )
}

function NewestProof({ newest }: { readonly newest: Revision }) {
  const { account, computer } = useComputer()
  const isAllowed = useMayChange()
  const { Proof, Id, LastProvedBootable } = newest
  return (
    <section className="volume" aria-label={volumeName(newest)}>
      <h2>{volumeName(newest)}</h2>
      <p className="quiet note">
        {texts.newest} <Time at={newest.DateTime} /> · {texts.lastProved} <Time at={LastProvedBootable} />
      </p>
      {Proof ? (
        <ProofVerdict
          proof={{ state: Proof.State, reason: Proof.Reason, tookMilliseconds: Proof.TookMilliseconds }}
          screenshotOf={Proof.HasScreenshot ? Id : undefined}
          at={Proof.DateTime}
        />
      ) : (
        <p>{texts.notProved}</p>
      )}
      {isAllowed && (
        <Link
          className="link"
          to="/backup/computers/$account/$computer/restore"
          params={{ account, computer }}
          search={{ where: 'proof' }}
        >
          {texts.prove}
        </Link>
      )}
    </section>
  )
}
