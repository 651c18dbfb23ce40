import type { FastifyInstance } from 'fastify'
import type { PersonRecord } from '#commands/identity/person'
import { refused } from '#commands/refused'
import { downloadOwnData } from '#contract/own-data'
import { languageOf } from '#domain/kit/languages'
import { createOwnSecrets } from '#api/areas/identity/profile/own-secrets'
import { register } from '#api/http/register'
import type { createOwnData, OwnPicture } from '#platform/identity/own-data'
import { readme } from './readme.ts'
import type { Served } from '#api/areas/services'

/** Copies for each user: a copy reads every table about people. */
const COPIES = { limit: 3, seconds: 86_400 }
const EXTENSIONS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' }

/** The signed-in user's copy of their data (fine print 80). It is a security event, and its owner gets a mail. */
export function registerOwnDataRoutes(
  app: FastifyInstance,
  kit: Served<'db' | 'limits' | 'people' | 'queueMail' | 'secondFactor' | 'security' | 'threads' | 'whiteLabels'>,
  stored: ReturnType<typeof createOwnData>,
): void {
  const { guards, limits, now, security, threads, whiteLabels } = kit
  const { checkGiven, notify, ownRecord } = createOwnSecrets(kit)

  async function archive(person: PersonRecord): Promise<Buffer> {
    const found = await stored.of(person.id)
    if (found === null) throw refused(6)
    const { name, termsUrl } = whiteLabels.brandOf(person.whitelabel_id)
    const at = now()
    const files = [
      {
        name: 'README.txt',
        text: readme(languageOf(person.language_key), { brand: name, at, hasPicture: found.picture !== null }),
      },
      // Every account is opened under the terms of service.
      { name: 'person.json', text: json({ ...found.person, terms: { status: 'agreed', url: termsUrl } }) },
      { name: 'messages.json', text: json(found.messages) },
    ].map((file) => ({ name: file.name, bytes: Buffer.from(file.text) }))
    return threads.zip({ files: [...files, ...pictureIn(found.picture)], at })
  }

  register(app, guards, downloadOwnData, async (call, reply) => {
    const person = await ownRecord(call)
    await checkGiven(person, call.body)
    const reserved = await limits.reserve([{ key: `own data ${person.id}`, ...COPIES }])
    const file = await archive(person).catch(async (error: unknown) => {
      await reserved.release()
      throw error
    })
    await security.record('own-data-downloaded', call)
    await notify(person, 'own-data-downloaded')
    return reply
      .type('application/zip')
      .headers({
        'Content-Disposition': `attachment; filename="my-data-${now().slice(0, '2026-01-01'.length)}.zip"`,
        'X-Content-Type-Options': 'nosniff',
      })
      .send(file)
  })
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const pictureIn = (picture: OwnPicture | null) =>
  picture === null ? [] : [{ name: `picture.${EXTENSIONS[picture.content_type] ?? 'bin'}`, bytes: picture.bytes }]
