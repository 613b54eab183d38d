import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { computerQuery, type Restore, useComputer, useMayChange } from '../data.ts'
import { texts as all } from '../texts.ts'
import { RemoveMachine } from './remove-machine.tsx'

const texts = all.machineResult

/** A machine that was made: where it is, how to get in, and how it goes again. */
export function MachineResult({
  restore,
  machine,
}: {
  readonly restore: Restore
  readonly machine: NonNullable<Restore['machine']>
}) {
  const at = useComputer()
  const { data: computer } = useQuery(computerQuery(at))
  const [isRemoving, setIsRemoving] = useState(false)
  const isAllowed = useMayChange()
  const { name, hostName, recoveryType, state } = machine
  if (state === 'NONE') return <Alert color="gray" title={texts.gone(name)} />
  return (
    <>
      <Alert color="green" title={texts.states[state](name, hostName)}>
        <p>{texts.networks[recoveryType]}</p>
        <p>{texts.getIn(name, computer?.name ?? at.computer)}</p>
        {isAllowed && (
          <Link
            className="link"
            to="/backup/computers/$account/$computer/restore"
            params={{ account: at.account, computer: at.computer }}
            search={{ where: 'proof' }}
          >
            {texts.screen}
          </Link>
        )}
      </Alert>
      <h2 className="section-title">{texts.disks}</h2>
      <ul>
        {restore.files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
      {isAllowed && (
        <Button variant="default" aria-haspopup="dialog" onClick={() => setIsRemoving(true)}>
          {texts.remove}
        </Button>
      )}
      {isRemoving && <RemoveMachine restore={restore} name={name} onClose={() => setIsRemoving(false)} />}
    </>
  )
}
