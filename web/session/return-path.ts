/** The last viewed list, with its filters. Cancel and moderation decisions return to it. */
let last = '/campaigns'

export const rememberList = (href: string) => {
  last = href
}

export const returnPath = () => last
