import { rolesWith } from '#domain/kit/access'

const SCRIPT = 'src="/first.js"'

/** The application's page with the roles that read campaigns, for `public/first.js`, which cannot import the table of rights. */
export function withCampaignReaders(html: string): string {
  if (!html.includes(SCRIPT)) throw new Error('index.html does not load first.js')
  return html.replace(SCRIPT, `${SCRIPT} data-campaign-readers="${rolesWith('campaign.read').join(' ')}"`)
}
