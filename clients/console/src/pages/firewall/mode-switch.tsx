import { Button } from '@mantine/core'
import { answer } from '@palisade/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/dialog.tsx'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { texts as all } from './texts.ts'

const texts = all.service

/** Has a service block attacks, or only log them. @returns what to call, and how it went */
export function useModeChange(service: string, onDone: () => void) {
  const { firewall } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (mode: 'Active' | 'Passive') =>
      answer(
        firewall.PUT('/restapi/v3.2/services/{service_id}/basic-security', {
          params: { path: { service_id: service } },
          body: { mode },
        }),
      ),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['firewall'] })
      onDone()
    },
  })
}

/** The button that has a service block attacks, or stop doing so; it asks before. Nothing for those who may only read. */
export function ModeSwitch({ service, isActive }: { readonly service: string; readonly isActive: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const change = useModeChange(service, () => setAsking(false))
  if (!mayChange(useSession(), 'firewall')) return null
  return (
    <>
      <Button
        color="blue.8"
        variant={isActive ? 'default' : 'filled'}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {isActive ? texts.watch : texts.block}
      </Button>
      {isAsking && (
        <Confirm
          title={isActive ? texts.watching : texts.blocking}
          action={isActive ? texts.watch : texts.block}
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(isActive ? 'Passive' : 'Active')}
          onClose={() => setAsking(false)}
        >
          <p>{isActive ? texts.watchingText : texts.blockingText}</p>
        </Confirm>
      )}
    </>
  )
}
