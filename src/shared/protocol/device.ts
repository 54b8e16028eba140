import { z } from 'zod';
import { Disposition } from './codes.ts';
import { type PolicyFieldName, SENSOR_FIELDS } from './fields.ts';
import { MAX_LIST_ITEMS, MAX_NAME_LENGTH, MAX_STRING_LENGTH, PUBLIC_KEY_BYTES } from './limits.ts';
import { boundedString, hexBytes, isPublicKeyHex, uint64 } from './primitives.ts';

const code = (label: string) =>
  z.union([z.literal(0), z.literal(1), z.literal(2)], { error: `must be a ${label} from 0 to 2` });

const disposition = code('disposition');
const publicKey = hexBytes(PUBLIC_KEY_BYTES).transform((hex) => hex.toLowerCase());
const shortString = boundedString(MAX_STRING_LENGTH);
const stringList = z
  .array(shortString, { error: 'must be an array of strings' })
  .max(MAX_LIST_ITEMS, { error: `must hold at most ${MAX_LIST_ITEMS} items` });

/**
 * A device's rule for one field. A destination is a server's public key (any case; stored in lowercase) or a network
 * topic.
 */
export const fieldPolicy = z.object(
  {
    default_disposition: disposition,
    per_destination: z
      .preprocess(
        refuseProto,
        z
          .record(shortString.meta({ not: { const: '__proto__' } }), disposition, {
            error: 'must map destinations to dispositions',
          })
          .refine((map) => Object.keys(map).length <= MAX_LIST_ITEMS, {
            error: `must hold at most ${MAX_LIST_ITEMS} destinations`,
          })
          .meta({ maxProperties: MAX_LIST_ITEMS })
          .transform(lowercaseKeys),
      )
      .optional(),
  },
  { error: 'must be a field policy' },
);

/** A device's rule for one field, after its check. */
export type FieldPolicy = z.output<typeof fieldPolicy>;

/** The whole policy of a device, by policy name. A missing field is PLAIN. */
export type PrivacyPolicy = { readonly [name in PolicyFieldName]?: FieldPolicy };

/** Refuses a member named `__proto__`: zod drops it silently, and a lost rule would publish what it should hide. */
function refuseProto(sent: unknown, context: z.RefinementCtx): unknown {
  if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is no name of a destination' });
  }
  return sent;
}

function lowercaseKeys(map: Record<string, Disposition>, context: z.RefinementCtx): Record<string, Disposition> {
  const entries = new Map<string, Disposition>();
  for (const [key, value] of Object.entries(map)) {
    const name = isPublicKeyHex(key) ? key.toLowerCase() : key;
    const other = entries.get(name);
    if (other !== undefined && other !== value) {
      context.addIssue({ code: 'custom', message: `names destination ${name} twice with different dispositions` });
    }
    entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

const policyMembers = Object.fromEntries(
  SENSOR_FIELDS.flatMap(({ name, policyName }) => [
    [policyName, fieldPolicy.optional()],
    [name, fieldPolicy.optional()],
  ]),
) as Record<string, z.ZodOptional<typeof fieldPolicy>>;

/** In JSON Schema: a field may have one of its two names, not both. */
const oneNameEach = SENSOR_FIELDS.filter(({ name, policyName }) => name !== policyName).map(({ name, policyName }) => ({
  not: { required: [name, policyName] },
}));

/**
 * The policy as sent: snake_case names, with the protocol's camelCase names as aliases. An unknown name is refused,
 * because a misspelt one would publish unencrypted what the owner meant to hide.
 */
export const privacyPolicyInput = z
  .strictObject(policyMembers)
  .meta({ allOf: oneNameEach })
  .transform((sent, context): PrivacyPolicy => {
    const policy: { [name in PolicyFieldName]?: FieldPolicy } = {};
    for (const { name, policyName } of SENSOR_FIELDS) {
      const value = sent[policyName];
      const alias = name === policyName ? undefined : sent[name];
      if (value !== undefined && alias !== undefined) {
        context.addIssue({ code: 'custom', path: [name], message: `names the same field as ${policyName}` });
      }
      const chosen = value ?? alias;
      if (chosen !== undefined) policy[policyName] = chosen;
    }
    return policy;
  });

/** A registration request, read by `parseJson64`. The output has its defaults and lowercase hex. */
export const deviceRegistration = z.object(
  {
    id: publicKey,
    mac: z
      .string({ error: 'must be a string' })
      .regex(/^[0-9a-f]{12}$/, { error: 'must be 12 lowercase hex characters without colons' }),
    ownerPubkey: publicKey,
    ownerName: boundedString(MAX_NAME_LENGTH).optional(),
    name: boundedString(MAX_NAME_LENGTH, 1),
    type: code('device type').default(0),
    publishTo: code('publishTo').default(1),
    location: uint64.optional(),
    networks: stringList.default([]),
    localServers: stringList.default([]),
    privacyPolicy: privacyPolicyInput.optional(),
    hardware: z
      .object({ model: shortString, firmware_version: shortString }, { error: 'must be { model, firmware_version }' })
      .optional(),
  },
  { error: 'must be a JSON object' },
);

/** A registration after its check. */
export type DeviceRegistration = z.output<typeof deviceRegistration>;

/** A registration as a device sends it. */
export type DeviceRegistrationInput = z.input<typeof deviceRegistration>;

/** A device in a response: exactly these nine members. */
export const deviceResponse = z.object({
  id: z.string().regex(/^[0-9a-f]{64}$/),
  mac: z.string().regex(/^[0-9a-f]{12}$/),
  ownerPubkey: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  type: z.int().min(0).max(2),
  location: z.union([z.int().min(0), z.bigint()]).nullable(),
  status: z.literal(0),
  hardware: z.union([z.strictObject({ model: z.string(), firmware_version: z.string() }), z.strictObject({})]),
  createdAt: z.int().min(0),
});

/** A device in a response. */
export type DeviceResponse = z.infer<typeof deviceResponse>;

/**
 * Returns the disposition of a field for one destination (a public key in lowercase hex): its own rule, else the
 * default.
 */
export function dispositionFor(policy: PrivacyPolicy, name: PolicyFieldName, destination: string): Disposition {
  const rule = policy[name];
  if (rule === undefined) return Disposition.PLAIN;
  const own = rule.per_destination;
  return own !== undefined && Object.hasOwn(own, destination) ? own[destination]! : rule.default_disposition;
}
