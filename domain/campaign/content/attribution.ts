import { withQuery } from '#domain/kit/addresses'

/** Attribution tags in the landing address (decisions G-048, G-049). */

export const ATTRIBUTION_TEMPLATE =
  'utm_source={SOURCE}&utm_medium={MEDIUM}&utm_campaign={CAMPAIGN_NAME}&utm_content={CREATIVE_SIZE}&anonymous_id={ANONYMOUS_ID}'

/** The landing page with its generated tags; null without one. */
export const generatedTags = (url: string | null): string | null => (url === null ? null : withQuery(url, ATTRIBUTION_TEMPLATE))

/** Whether tags were generated. Before version 0.3 they stood behind the fragment, where no shop reads them. */
export const isGenerated = (tags: string | null, url: string | null): boolean =>
  tags === generatedTags(url) || (url !== null && tags === `${url}${url.includes('?') ? '&' : '?'}${ATTRIBUTION_TEMPLATE}`)

export const MOST_ATTRIBUTION_ROWS = 10
