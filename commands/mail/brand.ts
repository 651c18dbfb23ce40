/** How mails of a white-label look. */
export type Brand = {
  readonly name: string
  /** Absolute address of a PNG or JPEG; null shows the name. */
  readonly logoUrl: string | null
  /** #rrggbb */
  readonly primaryColor: string
}

/** The brand of a white-label. */
export type BrandOf = (whitelabelId: string) => Promise<Brand>
