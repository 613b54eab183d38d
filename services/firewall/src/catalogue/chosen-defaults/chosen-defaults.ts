/**
 * Defaults that the API's documentation does not state, and that are therefore our choice: what a careful
 * administrator would want. By the name of the kind, or kind and section ("service/ssl-security"), then by field.
 */
export type ChosenDefaults = Readonly<
  Record<string, Readonly<Record<string, string | number | readonly string[]>>>
>
