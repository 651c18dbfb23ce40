/** The list last looked at, with its filters: where Cancel and a moderator's decision lead back to. */
let last = '/campaigns'

export const rememberList = (href: string) => {
  last = href
}

export const returnPath = () => last
