export type VersionStatus = 'processing' | 'ready' | 'failed'

/** Status of an audience by its versions (decisions G-077): 1 processing, 2 ready, 3 failed. */
export const AUDIENCE_STATUS = { processing: 1, ready: 2, failed: 3 } as const
export type AudienceStatus = (typeof AUDIENCE_STATUS)[VersionStatus]
