# opa run --server policy.rego

package toolgate

default decision := {"decision": "deny", "reason": "No rule allows it."}

decision := {"decision": "allow"} if input.tool.hints.readOnlyHint

decision := {"decision": "allow"} if {
	not input.tool.hints.readOnlyHint
	input.tool.name == "refund_order"
	input.arguments.amount <= limits[input.member.claims.role]
}

limits := {"support": 100, "manager": 1000}
