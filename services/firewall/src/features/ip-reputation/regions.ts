/** Countries by the two letters of ISO 3166, and continents by those that GeoIP databases have for them. */
export interface Regions {
  readonly countries: readonly string[]
  readonly continents: readonly string[]
}

const continentCodes = byPlainName({
  Africa: 'AF',
  Asia: 'AS',
  Europe: 'EU',
  'North America': 'NA',
  Oceania: 'OC',
  'South America': 'SA',
})

/** Names by which people call countries besides those of the Unicode locale data. */
const furtherNames = byPlainName({
  Burma: 'MM',
  'Cape Verde': 'CV',
  Congo: 'CG',
  'Czech Republic': 'CZ',
  'Democratic Republic of the Congo': 'CD',
  'East Timor': 'TL',
  'Great Britain': 'GB',
  'Holy See': 'VA',
  'Hong Kong': 'HK',
  'Ivory Coast': 'CI',
  Macao: 'MO',
  Macau: 'MO',
  Macedonia: 'MK',
  Myanmar: 'MM',
  Palestine: 'PS',
  'Republic of Korea': 'KR',
  'Republic of the Congo': 'CG',
  'Russian Federation': 'RU',
  Swaziland: 'SZ',
  Turkey: 'TR',
  UK: 'GB',
  'United States of America': 'US',
  USA: 'US',
  Vatican: 'VA',
  'Viet Nam': 'VN',
})

/** Made when it is first needed. */
let codesByName: ReadonlyMap<string, string> | undefined

/**
 * What names of countries and continents mean.
 *
 * @param names in English or as codes, in any case; "Antarctica" is the country, which databases say too
 * @returns besides, the names that mean nothing
 */
export function regionsOf(names: readonly string[]): Regions & { readonly unknown: readonly string[] } {
  codesByName ??= countryCodes()
  const [countries, continents, unknown] = [new Set<string>(), new Set<string>(), [] as string[]]
  for (const name of names) {
    const plain = plainName(name)
    const country = codesByName.get(plain)
    const continent = continentCodes.get(plain)
    if (country !== undefined) countries.add(country)
    else if (continent !== undefined) continents.add(continent)
    else unknown.push(name)
  }
  return { countries: [...countries].toSorted(), continents: [...continents].toSorted(), unknown }
}

function countryCodes(): Map<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const namedRegions = codes.flatMap((code) => {
    const name = english.of(code)
    // Former codes have the name of what took their place; that is in use whose code comes back.
    const isInUse = new Intl.Locale('und', { region: code }).region === code && !notCountries.has(code)
    return name === undefined || !isInUse ? [] : [[plainName(name), code] as const]
  })
  const inUse = new Set(namedRegions.map(([, code]) => code))
  return new Map([
    ...[...inUse].map((code) => [code.toLowerCase(), code] as const),
    ...furtherNames,
    ...namedRegions,
  ])
}

function byPlainName(codes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(codes).map(([name, code]) => [plainName(name), code]))
}

/** Unions, and codes that are for nobody. */
const notCountries: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO'])

/** Letters alone, without accents: "St. Vincent & Grenadines" and "Saint Vincent and the Grenadines" are the same. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\bst\./g, 'saint ')
    .replace(/\b(?:and|the)\b|\(.*?\)/g, '')
    .replace(/[^a-z]/g, '')
}
