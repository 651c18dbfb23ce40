/** A configuration that cannot be used; the message is the line to print. */
export class ConfigFault extends Error {}
