import { TextInput } from '@mantine/core'
import { texts } from './texts.ts'

/** A field for the code that an authenticator app shows. */
export function CodeField() {
  return (
    <TextInput
      name="code"
      label={texts.factors.code}
      inputMode="numeric"
      pattern="[0-9]{6}"
      autoComplete="one-time-code"
      required
    />
  )
}
