import { collector, comments, pause, people, product, searches } from './content.js'
import { useOf } from './use.js'

const visit = async (track) => {
  for (const [name, properties] of [
    ['Product Viewed', product],
    [
      'Products Searched',
      { query: searches[0], results: 12, filters: [{ type: 'price', value: '10-250' }], sort: 'price:asc' },
    ],
    ['Product Added', { ...product, coupon: 'SPRING"25', path: ['Home', 'Garden', 'Chairs'] }],
    ['Comment Written', { text: comments[0], language: 'en' }],
    ['Поиск', { запрос: searches[3] }],
  ])
    await track(name, properties)
  await pause(700)
}

/** Client libraries that count visits and events. */
const libraries = {
  posthog: async () => {
    const { default: posthog } = await import('posthog-js')
    posthog.init('phc_Kx0Yw2mQ3cX1b7N9s4Q', {
      api_host: collector,
      capture_pageview: true,
      request_batching: true,
    })
    posthog.identify(people[0].email, { name: people[0].name })
    await visit((name, properties) => posthog.capture(name, properties))
    posthog.captureException(new TypeError("Cannot read properties of undefined (reading 'price')"))
    await pause(3500)
  },
  'segment-analytics': async () => {
    const { AnalyticsBrowser } = await import('@segment/analytics-next')
    const analytics = AnalyticsBrowser.load(
      { writeKey: 'kx0yw2mq3cx1b7n9', cdnURL: collector },
      { integrations: { 'Segment.io': { apiHost: 'collect.example.org/v1' } } },
    )
    await Promise.race([analytics.page('Chairs', { title: document.title }), pause(1500)])
    await Promise.race([analytics.identify(people[1].email, people[1]), pause(500)])
    await visit((name, properties) => void analytics.track(name, properties))
    await pause(1500)
  },
  amplitude: async () => {
    const amplitude = await import('@amplitude/analytics-browser')
    await Promise.race([
      amplitude.init('8f2a9c41d0b7e35f', people[2].email, {
        serverUrl: `${collector}/2/httpapi`,
        autocapture: true,
      }).promise,
      pause(1500),
    ])
    amplitude.identify(new amplitude.Identify().set('имя', people[2].name).add('visits', 1))
    await visit((name, properties) => void amplitude.track(name, properties))
    await Promise.race([amplitude.flush().promise, pause(1500)])
  },
  mixpanel: async () => {
    const { default: mixpanel } = await import('mixpanel-browser')
    mixpanel.init('8f2a9c41d0b7e35f66a1c2d3e4f50617', {
      api_host: collector,
      track_pageview: true,
      batch_requests: false,
      persistence: 'localStorage',
    })
    mixpanel.identify('u-1042')
    mixpanel.people.set({ $name: people[0].name, $email: people[0].email })
    await visit((name, properties) => mixpanel.track(name, properties))
    mixpanel.init(
      '9a2a9c41d0b7e35f66a1c2d3e4f50617',
      { api_host: collector, api_payload_format: 'base64', batch_requests: false },
      'second',
    )
    mixpanel.second.track('Signed Up', { plan: 'Free & easy' })
    await pause(1000)
  },
  'documented-matomo': async () => {
    // The tracker's script is the site's own; these are its requests (developer.matomo.org/api-reference/tracking-api).
    const base = {
      idsite: '3',
      rec: '1',
      r: '402938',
      h: '14',
      m: '3',
      s: '20',
      url: location.href,
      urlref: document.referrer,
      _id: '18fff8a96a0e4d7c',
      _idn: '0',
      _refts: '1718000000',
      _ref: 'https://www.google.com/',
      send_image: '0',
      pdf: '1',
      qt: '0',
      realp: '0',
      wma: '0',
      fla: '0',
      java: '0',
      ag: '0',
      cookie: '1',
      res: '1440x900',
      pv_id: 'aB3dE9',
      pf_net: '23',
      pf_srv: '211',
      uadata: JSON.stringify({
        fullVersionList: [
          { brand: 'Not/A)Brand', version: '8.0.0.0' },
          { brand: 'Chromium', version: '126.0.6478.61' },
        ],
        mobile: false,
        model: '',
        platform: 'Windows',
        platformVersion: '15.0.0',
      }),
    }
    const ask = (more, init) =>
      fetch(`${collector}/matomo.php?${new URLSearchParams({ ...base, ...more })}`, init)
    await ask(
      {
        action_name: document.title,
        cvar: JSON.stringify({ 1: ['Type', 'Product'], 2: ['Brand', product.brand] }),
      },
      { mode: 'no-cors' },
    )
    await ask(
      { e_c: 'Video', e_a: 'play', e_n: "L'atelier (2/3)", e_v: '12', ca: '1' },
      { method: 'POST', mode: 'no-cors' },
    )
    await ask({ search: searches[2], search_cat: 'Farben', search_count: '14' }, { method: 'POST' })
    await ask({
      idgoal: '0',
      ec_id: 'O-1042',
      revenue: '259.80',
      ec_items: JSON.stringify([[product.sku, product.name, [product.category], 129.9, 2]]),
    })
    await fetch(`${collector}/matomo.php`, {
      method: 'POST',
      mode: 'no-cors',
      body: JSON.stringify({
        requests: searches.slice(0, 3).map((search) => `?${new URLSearchParams({ ...base, search })}`),
      }),
    })
    await ask({ link: 'https://www.example.net/a?b=c&d[]=1', ca: '1' }, { method: 'POST', mode: 'no-cors' })
  },
  snowplow: async () => {
    const { newTracker, trackPageView, trackSelfDescribingEvent, trackStructEvent, enableActivityTracking } =
      await import('@snowplow/browser-tracker')
    for (const eventMethod of ['post', 'get']) {
      newTracker(`sp-${eventMethod}`, collector, {
        appId: 'shop',
        eventMethod,
        contexts: { webPage: true, session: true },
      })
    }
    enableActivityTracking({ minimumVisitLength: 1, heartbeatDelay: 1 })
    trackPageView({ title: document.title })
    trackStructEvent({ category: 'basket', action: 'add', label: product.name, property: 'pcs', value: 2 })
    await visit((name, data) =>
      trackSelfDescribingEvent({
        event: { schema: `iglu:org.example/${name.length}/jsonschema/1-0-0`, data },
      }),
    )
    await pause(1500)
  },
  plausible: async () => {
    const { default: Plausible } = await import('plausible-tracker')
    const plausible = Plausible({ domain: 'www.example.org', apiHost: collector, trackLocalhost: true })
    plausible.trackPageview()
    plausible.trackEvent('Outbound Link: Click', { props: { url: 'https://www.example.net/?a=1&b=%27' } })
    plausible.trackEvent('404', { props: { path: '/en/chairs/<missing>' } })
    await pause(500)
  },
  rudderstack: async () => {
    const { RudderAnalytics } = await import('@rudderstack/analytics-js')
    const rudder = new RudderAnalytics()
    rudder.load('2KxYw2mQ3cX1b7N9s4Q', collector, {
      configUrl: collector,
      getSourceConfig: () => ({
        source: {
          id: 's1',
          name: 'shop',
          config: {},
          enabled: true,
          workspaceId: 'w1',
          destinations: [],
          connections: [],
          dataplanes: {},
        },
      }),
    })
    rudder.page('Shop', 'Chairs')
    rudder.identify('u-1042', people[3])
    await visit((name, properties) => rudder.track(name, properties))
    await pause(2500)
  },
  'web-vitals': async () => {
    const { onCLS, onFCP, onLCP, onTTFB, onINP } = await import('web-vitals/attribution')
    const report = (metric) =>
      navigator.sendBeacon(
        `${collector}/vitals`,
        JSON.stringify({ ...metric, entries: metric.entries, url: location.href }),
      )
    for (const on of [onCLS, onFCP, onLCP, onTTFB, onINP]) on(report, { reportAllChanges: true })
    await pause(2500)
  },
}

export const use = useOf(libraries)
