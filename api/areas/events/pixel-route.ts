import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createEvents } from '#commands/events/accept-events'
import { siteOf } from '#domain/events/confirmation'
import { EVENT_LIMITS, type SentEvent } from '#domain/events/tracked-event'
import type { Fault } from '#domain/kit/errors'
import { pixel, PIXEL_HEADER } from '#contract/events'
import type { z } from '#contract/zod'
import type { Served } from '#api/areas/services'
import { register } from '#api/http/register'
import { isSuspendedSpace } from '../white-label/suspended.ts'
import { accepted, Refused, refused } from '#commands/refused'
import { deviceOf } from './device.ts'
import { createExpectedSites } from './expected-sites.ts'
import { createEventsPort } from './port.ts'
import { tooManyToday } from './too-many-today.ts'
import { beginning } from '#domain/kit/text'

type Deps = Served<'accounts' | 'db' | 'facts' | 'fingerprint' | 'store' | 'tracked' | 'whiteLabels'>

/** A transparent GIF of one pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A read of the pixel counts as so many: one network gets a quarter of what an account gets, and cannot silence its visitors. */
const NETWORK_SHARE = 4

/** `Sec-Fetch-Dest` of what a browser opens as a page. */
const OPENED = ['document', 'embed', 'fencedframe', 'frame', 'iframe', 'object']

/** Other sites embed the image, and no answer is stored: every view is an event. */
const HEADERS = {
  'Content-Type': 'image/gif',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': PIXEL_HEADER,
}

/**
 * The pixel. It always answers with the image, because the page of an advertiser must not show an error; the header says what
 * happened: `stored`, `repeated`, or `refused` with the code and the parameter. Too many requests of a network are 429.
 */
export function registerPixel(app: FastifyInstance, kit: Deps): void {
  void app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Refused)) throw error
      const { code, faults } = error.rejection
      return answer(reply, `refused; code=${code}; parameter=${faults[0]?.path.replaceAll(/[^\w.[\]-]/g, '') ?? ''}`)
    })
    registerCall(scope, kit)
  })
}

const answer = (reply: FastifyReply, outcome: string) =>
  reply
    .code(200)
    .headers({ ...HEADERS, [PIXEL_HEADER]: outcome })
    .send(GIF)

function registerCall(scope: FastifyInstance, kit: Deps): void {
  const { accounts, guards, newId, now, tracked } = kit
  const events = createEvents({ port: createEventsPort(kit), now, newId })
  const sitesOf = createExpectedSites(tracked)

  register(scope, guards, pixel, async (call, reply) => {
    // A page that a script opens is no view of an advertiser's page: a banner could carry out what was typed into it.
    if (OPENED.includes(String(reply.request.headers['sec-fetch-dest']))) throw wrong('', 'The pixel is an image')
    await guards.limitReads(`pixel ${call.network}`, NETWORK_SHARE)
    const found = await tracked.keys.withKey(call.query.key)
    const account = found === null || !found.enabled ? null : await accounts.opened(found.spaceId)
    if (account === null || (await isSuspendedSpace(kit, account))) throw wrong('key', 'Unknown key')
    const { headers } = reply.request
    const page = headers.origin ?? headers.referer ?? ''
    const { origins = [] } = found ?? {}
    if (origins.length > 0 && !isFrom(origins, page)) throw wrong('', 'The page is not one of the sites of this pixel')
    // The key is public: forged events of many networks must not fill the database.
    await guards.limitReads(`pixel of ${account.space_id}`)
    const place = { spaceId: account.space_id, whitelabelId: account.whitelabel_id }
    const visitor = kit.fingerprint(`visitor ${account.space_id} ${call.network} ${headers['user-agent'] ?? ''}`)
    const sent = { sent: fromPage(call.query, reply.request), device: deviceOf(headers['user-agent']), visitor }
    const expected = origins.length > 0 || (await sitesOf(account.space_id)).has(siteOf(page) ?? '')
    const result = accepted(await events.accept({ place, source: 'pixel', events: [sent], expected }))
    if (result.kind === 'full') throw tooManyToday(now())
    return answer(reply, result.stored === 1 ? 'stored' : 'repeated')
  })
}

/** Whether the page that embeds the pixel is of one of these origins, by what its browser sends. */
const isFrom = (origins: readonly string[], page: string): boolean => URL.canParse(page) && origins.includes(new URL(page).origin)

const wrong = (path: string, message: string) => refused(2, [{ path, code: 2, message } satisfies Fault])

const blankToNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)

/** The event of a pixel's parameters. Those without a meaning of their own are custom parameters. */
function fromPage(query: z.output<typeof pixel.query>, request: FastifyRequest): SentEvent {
  const { key: _, name, id, time, value, device_model, url, campaign_id, conversion, ...custom } = query
  const referer = beginning(request.headers.referer ?? '', EVENT_LIMITS.url)
  return {
    name,
    id: blankToNull(id),
    time: blankToNull(time),
    value: numberIn(value),
    device_model: blankToNull(device_model),
    url: blankToNull(url) ?? (URL.canParse(referer) ? referer : null),
    campaign_id: blankToNull(campaign_id),
    conversion: conversion === undefined ? null : conversion === 'true' || conversion === '1',
    custom_parameters: textsOf(custom),
  }
}

function numberIn(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null
  const value = Number(text)
  if (!Number.isFinite(value) || Math.abs(value) > EVENT_LIMITS.value) throw wrong('value', 'Must be a number')
  return value
}

function textsOf(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(parameters))
    if (
      typeof value !== 'string' ||
      value.length > EVENT_LIMITS.parameterValue ||
      name === '' ||
      name.length > EVENT_LIMITS.parameterName
    )
      throw wrong(beginning(name, EVENT_LIMITS.parameterName), 'Must be one text within the limits of custom parameters')
  return parameters as Readonly<Record<string, string>>
}
