import { collector, pause, people, product } from './content.js'
import { useOf } from './use.js'

/** Errors as scripts of pages have them. */
const errors = () => [
  new TypeError("Cannot read properties of undefined (reading 'price')"),
  new SyntaxError('Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON'),
  new Error(
    `Request failed with status code 500: GET /api/v1/orders?filter[state]=open&include=lines,customer`,
  ),
  new RangeError('Maximum call stack size exceeded'),
  new ReferenceError("Can't find variable: gtag"),
]

/** Libraries that report errors, times and sessions of pages. */
const libraries = {
  sentry: async () => {
    const Sentry = await import('@sentry/browser')
    Sentry.init({
      dsn: 'https://8f2a9c41d0b7e35f66a1c2d3e4f50617@errors.example.org/4507',
      release: 'shop@2.14.0+5f0c2b',
      integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration({ maskAllText: false })],
      tracesSampleRate: 1,
      replaysSessionSampleRate: 1,
      replaysOnErrorSampleRate: 1,
    })
    Sentry.setUser({ email: people[0].email, username: people[0].name })
    console.warn('Deprecated: use %s instead of $.ajax({ url: "/api" })', 'fetch')
    await fetch('/api/basket?ids[]=104&ids[]=98')
    for (const error of errors()) Sentry.captureException(error, { extra: { product } })
    Sentry.captureMessage('Checkout: <select id="size"> has no options')
    await pause(7000)
    await Sentry.flush(1000)
  },
  'sentry-tunnel': async () => {
    const Sentry = await import('@sentry/browser')
    Sentry.init({
      dsn: 'https://8f2a@o1.ingest.example.org/2',
      tunnel: '/monitoring',
      sendClientReports: true,
    })
    Sentry.addBreadcrumb({
      category: 'ui.click',
      message: 'main > form#form > input[name="name"][type="text"]',
    })
    for (const error of errors().slice(0, 3)) Sentry.captureException(error)
    await Sentry.flush(2000)
  },
  bugsnag: async () => {
    const { default: Bugsnag } = await import('@bugsnag/js')
    Bugsnag.start({
      apiKey: '8f2a9c41d0b7e35f66a1c2d3e4f50617',
      endpoints: { notify: `${collector}/notify`, sessions: `${collector}/sessions` },
    })
    for (const error of errors()) Bugsnag.notify(error, (event) => event.addMetadata('product', product))
    await pause(1500)
  },
  rollbar: async () => {
    const { default: Rollbar } = await import('rollbar')
    const rollbar = new Rollbar({
      accessToken: '8f2a9c41d0b7e35f',
      endpoint: `${collector}/api/1/item/`,
      captureUncaught: true,
      payload: { environment: 'production' },
    })
    for (const error of errors()) rollbar.error(error, { product })
    rollbar.info("Payment: user chose 'PayPal' (1/2)")
    await pause(2500)
  },
  'application-insights': async () => {
    const { ApplicationInsights } = await import('@microsoft/applicationinsights-web')
    const insights = new ApplicationInsights({
      config: {
        connectionString: `InstrumentationKey=18fff8a9-6a0e-4d7c-9a54-0c3d1d2f9b11;IngestionEndpoint=${collector}/`,
        enableAutoRouteTracking: true,
        maxBatchInterval: 300,
      },
    })
    insights.loadAppInsights()
    insights.trackPageView()
    for (const exception of errors()) insights.trackException({ exception })
    insights.trackEvent({ name: 'Add to basket' }, product)
    await fetch('/api/basket?ids[]=104')
    await pause(1500)
    insights.flush()
  },
  honeybadger: async () => {
    const { default: Honeybadger } = await import('@honeybadger-io/js')
    Honeybadger.configure({ apiKey: 'hbp_8f2a9c41', endpoint: collector, environment: 'production' })
    for (const error of errors()) Honeybadger.notify(error, { context: { user: people[1].name } })
    await pause(1500)
  },
  'elastic-rum': async () => {
    const { init } = await import('@elastic/apm-rum')
    const apm = init({
      serviceName: 'shop',
      serverUrl: collector,
      serviceVersion: '2.14.0',
      eventsLimit: 40,
      flushInterval: 300,
    })
    apm.setUserContext({ username: people[2].name, email: people[2].email })
    for (const error of errors()) apm.captureError(error)
    await fetch('/api/orders?state=open')
    await pause(3000)
  },
  'opentelemetry-web': async () => {
    const { WebTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-web')
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http')
    const { MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics')
    const provider = new WebTracerProvider({
      spanProcessors: [
        new BatchSpanProcessor(new OTLPTraceExporter({ url: `${collector}/v1/traces` }), {
          scheduledDelayMillis: 300,
        }),
      ],
    })
    const tracer = provider.getTracer('shop')
    for (const error of errors()) {
      const span = tracer.startSpan('HTTP GET', {
        attributes: {
          'http.url': location.href,
          'http.user_agent': navigator.userAgent,
          'db.statement': 'basket',
        },
      })
      span.recordException(error)
      span.end()
    }
    const meters = new MeterProvider({
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter({ url: `${collector}/v1/metrics` }),
          exportIntervalMillis: 500,
          exportTimeoutMillis: 400,
        }),
      ],
    })
    meters
      .getMeter('shop')
      .createCounter('clicks', { unit: '{click}' })
      .add(3, { element: 'button#buy.btn.btn--primary' })
    await pause(1500)
  },
  'grafana-faro': async () => {
    const { initializeFaro, getWebInstrumentations } = await import('@grafana/faro-web-sdk')
    const faro = initializeFaro({
      url: `${collector}/collect/8f2a9c41`,
      app: { name: 'shop', version: '2.14.0' },
      instrumentations: getWebInstrumentations(),
    })
    for (const error of errors()) faro.api.pushError(error)
    faro.api.pushEvent('basket', { sku: product.sku, name: product.name })
    console.error('Failed to load resource: the server responded with a status of 404 ()')
    await pause(2500)
  },
  'datadog-rum': async () => {
    const { datadogRum } = await import('@datadog/browser-rum')
    const { datadogLogs } = await import('@datadog/browser-logs')
    const common = {
      clientToken: 'pub8f2a9c41d0b7e35f',
      site: 'datadoghq.eu',
      proxy: `${collector}/dd`,
      service: 'shop',
      env: 'prod',
      version: '2.14.0',
      sessionSampleRate: 100,
    }
    datadogRum.init({
      ...common,
      applicationId: '18fff8a9-6a0e-4d7c-9a54-0c3d1d2f9b11',
      sessionReplaySampleRate: 100,
      trackUserInteractions: true,
      trackResources: true,
      defaultPrivacyLevel: 'allow',
    })
    datadogLogs.init({ ...common, forwardErrorsToLogs: true })
    datadogRum.setUser({ id: 'u-1042', name: people[0].name })
    for (const error of errors()) datadogRum.addError(error, { product })
    datadogLogs.logger.info("Basket: 'Åse' added", { product })
    await pause(1500)
    datadogRum.stopSession()
    await pause(500)
  },
  'newrelic-browser': async () => {
    const { BrowserAgent } = await import('@newrelic/browser-agent/loaders/browser-agent')
    const agent = new BrowserAgent({
      init: { privacy: { cookies_enabled: true }, ajax: { deny_list: [] } },
      info: {
        beacon: 'collect.example.org',
        errorBeacon: 'collect.example.org',
        licenseKey: 'NRJS-8f2a9c41d0b7e35f',
        applicationID: '1042',
        sa: 1,
      },
      loader_config: {
        accountID: '1',
        trustKey: '1',
        agentID: '2',
        licenseKey: 'NRJS-8f2a9c41d0b7e35f',
        applicationID: '1042',
      },
    })
    for (const error of errors()) agent.noticeError(error)
    agent.addPageAction('Add to basket', product)
    await fetch('/api/orders?state=open')
    await pause(9000)
  },
  rrweb: async () => {
    const { record } = await import('rrweb')
    const events = []
    record({ emit: (event) => events.push(event) })
    await pause(1500)
    for (const type of ['application/json', 'text/plain;charset=UTF-8']) {
      await fetch(`${collector}/replay?session=18fff8a9&seq=${events.length}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({ events }),
      })
    }
    const packed = new Blob([JSON.stringify(events)]).stream().pipeThrough(new CompressionStream('gzip'))
    await fetch(`${collector}/replay`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: await new Response(packed).blob(),
    })
    navigator.sendBeacon(
      `${collector}/replay/end`,
      JSON.stringify({ url: location.href, count: events.length }),
    )
  },
}

export const use = useOf(libraries)
