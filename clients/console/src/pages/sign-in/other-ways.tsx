import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readLoginWays } from '../../session.ts'
import { texts } from './texts.ts'

/** The ways to sign in without a password of Palisade: a passkey, and the providers of the organisation. */
export function OtherWays({
  to,
  isPending,
  withPasskey,
}: {
  /** The page of the console that a provider sends the browser back to. */
  readonly to: string
  readonly isPending: boolean
  readonly withPasskey: () => void
}) {
  const ways = useQuery({ queryKey: ['login'], queryFn: readLoginWays })
  const { providers = [], hasPasskeys = false } = ways.data ?? {}
  const canUsePasskeys = hasPasskeys && 'PublicKeyCredential' in window
  if (!canUsePasskeys && providers.length === 0) return null
  return (
    <>
      <p className="or">
        <span>{texts.or}</span>
      </p>
      <Stack gap="sm">
        {canUsePasskeys && (
          <Button variant="default" loading={isPending} onClick={withPasskey}>
            {texts.passkey}
          </Button>
        )}
        {providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            component="a"
            href={`/admin/v1/login/${encodeURIComponent(provider)}?return=${encodeURIComponent(`/console${to}`)}`}
          >
            {texts.provider} {provider}
          </Button>
        ))}
      </Stack>
    </>
  )
}
