import { Alert, Button, Loader, Stack } from '@mantine/core'
import { type BackupSchemas, offersOf, originalOf, registerHost } from '@palisade/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { texts as shared } from '../../../texts.ts'
import { type Revision, useComputer, useIsOnline } from '../data.ts'
import { texts as all } from '../texts.ts'
import { ChooseHost } from './choose-host.tsx'
import { MachineSettings } from './machine-settings.tsx'

const texts = all.machineForm

/** A hypervisor that somebody wants the machine on. */
export interface HostWish {
  /** Undefined for the one of the computer's own machine. */
  readonly hostName: string | undefined
  readonly credentials?: BackupSchemas['schemas']['HostCredentials']
}

/** Chooses where a machine of the revisions is to be made, and with what. A proof makes it for a moment only. */
export function MachineForm({
  revisions,
  isProof,
}: {
  readonly revisions: readonly Revision[]
  readonly isProof: boolean
}) {
  const at = useComputer()
  const { client, path } = at
  const isOnline = useIsOnline(at)
  const [wish, setWish] = useState<HostWish>({ hostName: undefined })
  const [attempt, setAttempt] = useState(0)
  const [isChoosing, setIsChoosing] = useState(false)
  const ids = revisions.map(({ Id }) => Id)
  const host = useQuery({
    // No secret is in the key: each choice is an attempt of its own.
    queryKey: ['host of a machine', path, wish.hostName ?? '', attempt],
    async queryFn() {
      const registered = await registerHost(client, path, wish.hostName, wish.credentials)
      if (registered.hostUnsupported) throw new Error(registered.hostUnsupportedMessage)
      const { id, sessionId, hostName } = registered
      return { id, sessionId, hostName, ...(await offersOf(client, path, { id, sessionId })) }
    },
    enabled: isOnline === true,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const original = useQuery({
    queryKey: ['original machine', path, ids],
    queryFn: async () => (await originalOf(client, path, ids)) ?? null,
  })
  const another = (
    <Button variant="default" size="xs" mt="sm" aria-haspopup="dialog" onClick={() => setIsChoosing(true)}>
      {texts.another}
    </Button>
  )
  if (!revisions.some(({ IsBoot }) => IsBoot)) return <p>{texts.needsBoot}</p>
  if (isOnline === false && host.data === undefined) return <p>{texts.offline}</p>
  return (
    <>
      {host.isPending && (
        <p className="outcome">
          <Loader size="xs" aria-hidden="true" /> {texts.asking}
        </p>
      )}
      {host.error && (
        <Stack mt="md" gap="sm" align="start">
          <Failure error={host.error} title={texts.noHost} tryAgain={() => void host.refetch()} />
          <Alert color="blue" title={texts.help}>
            {texts.helpText}
          </Alert>
          {another}
        </Stack>
      )}
      {original.isPending && !host.isPending && <Loader aria-label={shared.loading} />}
      {host.data && original.data !== undefined && (
        <>
          <p>
            {texts.on} <strong>{host.data.hostName}</strong> {another}
          </p>
          <MachineSettings
            key={`${host.data.id} ${ids.join()}`}
            host={host.data}
            original={original.data ?? undefined}
            revisions={ids}
            isProof={isProof}
          />
        </>
      )}
      {isChoosing && (
        <ChooseHost
          onChoose={(chosen) => {
            setWish(chosen)
            setAttempt(attempt + 1)
            setIsChoosing(false)
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  )
}
