import { z } from './zod.ts'

const some = <T extends z.ZodMiniType>(type: T) => z.optional(type)
const text = z.string().check(z.maxLength(5000))
const ext = z.record(z.string(), z.unknown()).check(z.describe('Open: an extension of OpenRTB'))
const sized = { w: some(z.number()), h: some(z.number()) }
const publisher = z.looseObject({
  id: some(text),
  name: some(text),
  bundle: some(text),
  domain: some(text),
  content: some(z.looseObject({ language: some(text) })),
})

/**
 * The part of an OpenRTB 2.6 bid request that bidding rules use; everything else of the standard is accepted and ignored.
 * `ext.exchange` names the exchange; `user.ext` may hold the user's history (`visits_7d`, `clicks_total`, …).
 */
export const bidRequest = z.looseObject({
  id: some(text),
  imp: z
    .array(
      z.looseObject({
        id: text,
        banner: some(
          z.looseObject({ ...sized, pos: some(z.number()), format: some(z.array(z.looseObject(sized)).check(z.maxLength(100))) }),
        ),
        video: some(z.looseObject({ ...sized, pos: some(z.number()) })),
        native: some(z.unknown().check(z.describe('Open: its presence alone counts'))),
        instl: some(z.number()),
        rwdd: some(z.number()),
        bidfloor: some(z.number()),
        displaymanager: some(text),
      }),
    )
    .check(z.minLength(1), z.maxLength(20)),
  app: some(publisher),
  site: some(publisher),
  device: some(
    z.looseObject({
      os: some(text),
      make: some(text),
      model: some(text),
      connectiontype: some(z.number()),
      ip: some(text),
      ipv6: some(text),
    }),
  ),
  user: some(z.looseObject({ ext: some(ext) })),
  ext: some(ext),
})
