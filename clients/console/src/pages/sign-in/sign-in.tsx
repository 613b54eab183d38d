import './sign-in.css'
import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { ApiError } from '@palisade/sdk'
import '@mantine/core/styles/PasswordInput.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { type Session, type SignIn, signIn, signInWithPasskey } from '../../session.ts'
import { texts as shared } from '../../texts.ts'
import { OtherWays } from './other-ways.tsx'
import { takeRefusal } from './refusal-cookie.ts'
import { texts } from './texts.ts'

/** Asks who somebody is. A second factor is asked for when the server wants one. */
export function SignInPage() {
  const [refusal] = useState(takeRefusal)
  const to = pathOfConsole(Object(useSearch({ strict: false })).to)
  const enter = useEntrance(to)
  const attempt = useMutation({ mutationFn: signIn, onSuccess: enter })
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: enter })
  useEffect(() => {
    document.title = `${texts.title} – ${shared.product}`
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    passkey.reset()
    attempt.mutate(credentialsOf(new FormData(event.currentTarget)))
  }
  const wanted = attempt.error instanceof ApiError ? attempt.error.field : undefined
  const wantsMore = wanted === 'code' || wanted === 'passkey'
  const sentence = passkey.error ? sentenceOf(passkey.error) : (attempt.error?.message ?? refusal)
  return (
    <main className="sign-in">
      <img src="/console/favicon.svg" alt="" width="40" height="40" />
      <h1 className="page-title">{texts.title}</h1>
      <div className="card">
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput name="username" label={texts.username} autoComplete="username" required autoFocus />
            <PasswordInput name="password" label={texts.password} autoComplete="current-password" required />
            {wanted === 'code' && (
              <TextInput
                name="code"
                label={texts.code}
                autoComplete="one-time-code"
                inputMode="numeric"
                required
              />
            )}
            {sentence !== undefined && (
              <Alert color={wantsMore && !passkey.error ? 'blue' : 'red'} role="alert">
                {sentence}
              </Alert>
            )}
            {!window.isSecureContext && <Alert color="yellow">{texts.insecure}</Alert>}
            {wantsMore && attempt.variables !== undefined && (
              <Button
                variant={wanted === 'passkey' ? 'filled' : 'default'}
                loading={passkey.isPending}
                onClick={() => passkey.mutate(attempt.variables)}
              >
                {texts.passkeyAsWell}
              </Button>
            )}
            <Button
              type="submit"
              variant={wanted === 'passkey' ? 'default' : 'filled'}
              loading={attempt.isPending}
            >
              {texts.submit}
            </Button>
          </Stack>
        </form>
        <OtherWays
          to={to}
          isPending={passkey.isPending}
          withPasskey={() => {
            attempt.reset()
            passkey.mutate(undefined)
          }}
        />
      </div>
      <details>
        <summary>{texts.firstStart}</summary>
        <p>{texts.firstStartHelp}</p>
      </details>
    </main>
  )
}

/** What follows a sign-in: the page that was asked for. */
function useEntrance(to: string) {
  const queries = useQueryClient()
  const router = useRouter()
  return async (session: Session) => {
    queries.setQueryData(['session'], session)
    await router.navigate({ to })
  }
}

/** Where to go after a sign-in: a path of the console, never another site, whatever the address says. */
function pathOfConsole(to: unknown): string {
  return typeof to === 'string' && /^\/(?![/\\])/.test(to) ? to : '/'
}

/** Browsers do not say why they gave no passkey, so that no site learns which there are. */
function sentenceOf(error: Error): string {
  return error instanceof DOMException ? texts.passkeyCancelled : error.message
}

function credentialsOf(form: FormData): SignIn {
  const text = (name: string) => String(form.get(name) ?? '')
  const code = text('code')
  return { username: text('username'), password: text('password'), ...(code === '' ? {} : { code }) }
}
