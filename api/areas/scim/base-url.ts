/** The address of SCIM of a white-label, by the origin of its application. */
export const scimUrl = (origin: string): string => `${origin}/scim/v2`
