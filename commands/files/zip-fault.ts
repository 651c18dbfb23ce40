/** Reasons why an archive is not a valid banner. */
export type ZipFault =
  /** Nothing in it says that it is a ZIP, or it is cut before its end. */
  | 'notAZip'
  /** No `index.html` at the root, written just so. */
  | 'noIndex'
  /** More than 500 entries, folders among them. */
  | 'tooManyEntries'
  /** More than 50 MiB once unpacked, or more than 2 MiB of pages. */
  | 'tooLarge'
  /** A file above 1 MiB that was packed more than a hundredfold. */
  | 'suspiciousRatio'
  /** A path that leaves the archive, is longer than 500 characters or 32 names, or is not read alike by every program. */
  | 'unsafePath'
  /** Something that is neither a file nor a folder. */
  | 'link'
  | 'encrypted'
  /** Packed in another way than stored or deflated, or as a ZIP64 archive, which nothing of this size needs. */
  | 'unsupported'
  /** Two entries that are one file where letter case does not count, or a file that is a folder too. */
  | 'duplicate'
  /** A file type that banners do not need. */
  | 'forbiddenFile'
  /** Something besides the archive in front of it, behind it, or within its comment. */
  | 'polyglot'
  /** Its description does not match its content. */
  | 'corrupt'

/** Why an archive is refused. `file`: the path of the file that is the reason, as it is written; null for the archive as a whole. */
export type RefusedZip = { readonly fault: ZipFault; readonly file: string | null }
