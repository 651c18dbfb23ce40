/** Warnings of an HTML banner's upload: texts that its file keeps and every reader of it gets (decisions G-140). */

export type BannerWarnings = {
  /** It leads to its own address: clicks on it are not counted where the exchange plays it. */
  readonly clickLinks: boolean
  /** Hosts from which it loads files. Its frame refuses them. */
  readonly externalHosts: readonly string[]
}

const EXTERNAL = 'externalFiles:'

/** `clickLinks`, and `externalFiles:HOST` for each host. */
export const bannerWarnings = ({ clickLinks, externalHosts }: BannerWarnings): readonly string[] => [
  ...(clickLinks ? ['clickLinks'] : []),
  ...externalHosts.map((host) => EXTERNAL + host),
]

/** Reads them; unknown ones are passed over. */
export const readBannerWarnings = (warnings: readonly string[]): BannerWarnings => ({
  clickLinks: warnings.includes('clickLinks'),
  externalHosts: warnings.filter((one) => one.startsWith(EXTERNAL)).map((one) => one.slice(EXTERNAL.length)),
})
