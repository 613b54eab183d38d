import { Type } from 'typebox'

const base64url = (example: string) => Type.String({ maxLength: 65_536, examples: [example] })

const ofCredential = {
  id: base64url('AQIDBAUGBwg'),
  rawId: base64url('AQIDBAUGBwg'),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}, { examples: [{}] }),
}

/** What `navigator.credentials.create()` of a browser gives, as JSON (WebAuthn, `RegistrationResponseJSON`). */
export const NewCredential = Type.Object(
  {
    ...ofCredential,
    response: Type.Object({
      clientDataJSON: base64url('eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'),
      attestationObject: base64url('o2NmbXRkbm9uZQ'),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16, examples: [['usb']] }),
      ),
    }),
  },
  { title: 'NewCredential', description: 'RegistrationResponseJSON of WebAuthn' },
)

/** What `navigator.credentials.get()` of a browser gives, as JSON (WebAuthn, `AuthenticationResponseJSON`). */
export const Assertion = Type.Object(
  {
    ...ofCredential,
    response: Type.Object({
      clientDataJSON: base64url('eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'),
      authenticatorData: base64url('SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'),
      signature: base64url('MEUCIQDx'),
      userHandle: Type.Optional(Type.String({ maxLength: 128, examples: ['MGI5YWYxZTM'] })),
    }),
  },
  { title: 'Assertion', description: 'AuthenticationResponseJSON of WebAuthn' },
)

/** What a browser is told for `navigator.credentials.create()`. */
export const RegistrationOptions = Type.Object(
  { challenge: Type.String() },
  {
    title: 'PasskeyRegistrationOptions',
    additionalProperties: true,
    description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn',
    examples: [
      {
        challenge: 'jK5_nuBZ7pxAKmUDhC1o5oaEKDq3x5dS1x8kR0cTyMg',
        rp: { id: 'palisade.example.org', name: 'Palisade' },
        user: { id: 'MGI5YWYxZTM', name: 'ada', displayName: 'Ada Lovelace' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      },
    ],
  },
)

/** What a browser is told for `navigator.credentials.get()`. */
export const LoginOptions = Type.Object(
  { challenge: Type.String() },
  {
    title: 'PasskeyLoginOptions',
    additionalProperties: true,
    description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn',
    examples: [
      {
        challenge: 'jK5_nuBZ7pxAKmUDhC1o5oaEKDq3x5dS1x8kR0cTyMg',
        rpId: 'palisade.example.org',
        allowCredentials: [{ type: 'public-key', id: 'AQIDBAUGBwg' }],
        userVerification: 'preferred',
      },
    ],
  },
)

/** What the operator calls a passkey, to tell one from another; no browser sees it. */
export const PasskeyName = Type.String({ minLength: 1, maxLength: 255, examples: ['security key'] })
