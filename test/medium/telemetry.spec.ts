import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { recordOf, startCollector, type ReceivedSpan } from '../support/collector.ts'
import { readScrape } from '../support/exposition.ts'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SERVER = 2
const CLIENT = 3
const CONSUMER = 5

describe('traces of the product', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let product: TestProduct
  let ada: Session
  let moderator: Session
  beforeAll(async () => {
    collector = await startCollector()
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20secret',
      OTEL_SERVICE_NAME: 'ads',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    }
    // The projector has its own thread, as with `npm start`.
    product = await startTestProduct(settings, { threads: true })
    ada = await product.as('ada@nile.example')
    moderator = await product.as('moderator@dsp.example')
  })
  afterAll(async () => {
    await product.stop()
    await collector.stop()
  })

  const submitted = async () => {
    const { data, code } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    expect(code).toBe(0)
    return data
  }
  const ofTrace = (trace: string) => collector.spans().filter(({ traceId }) => traceId === trace)

  // covers FP-99
  it('traces of the product follow a call through its command, append, read models and mail, under the trace of the caller', async () => {
    const { id, moderation_start_at } = await submitted()
    const { code, headers } = await moderator.call(
      'POST',
      '/v1/whitelabel/admin/campaign/approve',
      { campaign_id: id, moderation_start_at },
      { traceparent: `00-${TRACE}-${CALLER}-01`, 'x-request-id': 'approval-1' },
    )
    expect(code).toBe(0)
    const hasAll = (spans: readonly ReceivedSpan[]) =>
      ['append', 'project campaign-list', 'notify', 'mail notification'].every((name) =>
        spans.some((span) => span.name === name),
      ) &&
      spans.some(({ name, attributes }) => name === 'job mail' && attributes['placard.outcome'] === 'done') &&
      spans.some(({ kind }) => kind === SERVER)
    const spans = await eventually(async () => ofTrace(TRACE), hasAll)
    const one = (name: string): ReceivedSpan => {
      const [span, ...others] = spans.filter((found) => found.name === name)
      expect([name, others.map(({ attributes }) => attributes)]).toEqual([name, []])
      if (span === undefined) throw new Error(`no span ${name} in ${spans.map((found) => found.name).join()}`)
      return span
    }
    const call = one('POST /v1/whitelabel/admin/campaign/approve')
    expect(call).toMatchObject({ kind: SERVER, parentSpanId: CALLER, failed: false })
    expect(call.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/whitelabel/admin/campaign/approve',
      'http.response.status_code': 200,
      'placard.request_id': 'approval-1',
    })
    expect(call.resource).toMatchObject({ 'service.name': 'ads', 'placard.role': 'all' })
    expect(headers.get('traceparent')).toBe(`00-${TRACE}-${call.spanId}-01`)

    const command = one('command campaign')
    expect(command.parentSpanId).toBe(call.spanId)
    expect(command.attributes).toEqual({
      'placard.stream': `campaign-${id}`,
      'placard.dry_run': false,
      'placard.attempts': 1,
      'placard.events': ['CampaignApproved'],
    })
    const append = one('append')
    expect(append).toMatchObject({ kind: CLIENT, parentSpanId: command.spanId })
    expect(append.attributes).toEqual({ 'placard.stream': `campaign-${id}`, 'placard.events': 1, 'placard.append': 'appended' })
    expect(one('project campaign-list')).toMatchObject({ kind: CONSUMER, parentSpanId: command.spanId })

    // Work that follows the log, in its own process or not, and the job that it queues.
    const notify = one('notify')
    expect(notify.parentSpanId).toBe(command.spanId)
    const job = spans.find(({ name, attributes }) => name === 'job mail' && attributes['placard.outcome'] === 'done')
    expect(job).toMatchObject({ kind: CONSUMER, parentSpanId: notify.spanId })
    expect(one('mail notification')).toMatchObject({ kind: CLIENT, parentSpanId: job?.spanId })
    expect(collector.of('/v1/traces').every(({ headers: sent }) => sent['x-collector-key'] === 'a secret')).toBe(true)
  })

  // covers FP-99
  it('traces of the product are not recorded for a caller who does not record them, and the events name no trace', async () => {
    const trace = '1'.repeat(32)
    const { headers, data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada), {
      traceparent: `00-${trace}-${CALLER}-00`,
    })
    expect(headers.get('traceparent')).toMatch(new RegExp(`^00-${trace}-[\\da-f]{16}-00$`))
    const { rows } = await product.database.pool.query<{ trace: string | null }>(
      `select metadata ->> 'trace' as trace from es.events where stream_id = $1`,
      [`campaign-${data.id}`],
    )
    expect(rows).toEqual([{ trace: null }])
    const next = await ada.call('GET', `/v1/campaign/${data.id}`)
    const [, own = ''] = next.headers.get('traceparent')?.split('-') ?? []
    // Spans leave in order: those of the call before would be there.
    await eventually(
      async () => ofTrace(own),
      (spans) => spans.length > 0,
    )
    expect(ofTrace(trace)).toEqual([])
  })

  // covers FP-99
  it('traces hold neither personal data nor secrets: routes instead of paths, names of errors instead of messages', async () => {
    const { id } = await submitted()
    const wrong = new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: 'wrong-Secret-1' })
    const { headers } = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body: wrong })
    await fetch(`${product.base}/v1/campaign/${id}?token=a-Query-Secret`)
    const last = await ada.call('GET', '/v1/user/me')
    const [, trace = ''] = last.headers.get('traceparent')?.split('-') ?? []
    const [, ofSignIn = ''] = headers.get('traceparent')?.split('-') ?? []
    await eventually(
      async () => ofTrace(trace),
      (spans) => spans.length > 0,
    )
    expect(ofTrace(ofSignIn).map(({ attributes }) => attributes['http.response.status_code'])).toEqual([401])
    const sent = collector
      .of('/v1/traces')
      .map(({ body }) => body)
      .join()
    expect(sent).toContain('/v1/campaign/:id')
    for (const secret of ['@', 'wrong-Secret-1', 'a-Query-Secret', ada.token, '127.0.0.1', 'Campaign ', 'Ada'])
      expect([secret, sent.includes(secret)]).toEqual([secret, false])
  })
})

type Metrics = {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Parameters<typeof recordOf>[0] }
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[]
  }[]
}

describe('metrics of the product', () => {
  it.each(['all', 'projector'])(
    'metrics of the product go to the collector from a process of the role %s, all that it has for a scrape',
    async (role) => {
      const collector = await startCollector()
      onTestFinished(collector.stop)
      const product = await startTestProduct({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        PLACARD_ROLE: role,
      })
      onTestFinished(product.stop)
      const [pushed] = await eventually(
        async () => collector.of('/v1/metrics'),
        (requests) => requests.length > 0,
      )
      const { resourceMetrics }: Metrics = JSON.parse(pushed?.body ?? '')
      const [{ resource, scopeMetrics } = { resource: { attributes: [] }, scopeMetrics: [] }] = resourceMetrics
      expect(recordOf(resource.attributes)).toMatchObject({ 'service.name': 'placard', 'placard.role': role })
      const names = scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name))
      expect(names).toEqual(expect.arrayContaining(['placard_jobs', 'placard_http_request_seconds', 'process_cpu_seconds_total']))
      if (role !== 'all') return
      const { families } = readScrape(await (await fetch(`${product.base}/metrics`)).text())
      expect(names.toSorted()).toEqual([...families.keys()].toSorted())
    },
  )
})
