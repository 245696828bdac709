set(provider_sources
  allow_policy_kind.cc asset_inventory.cc asset_names.cc asset_types.cc bridged_types.cc audit_configs.cc audit_log.cc basic_roles.cc checks.cc credentials.cc error_dialect.cc foreign_types.cc iam_aliases.cc iam_audit_config.cc
  iam_binding.cc iam_fields.cc iam_kinds.cc iam_member.cc iam_names.cc iam_path_inputs.cc iam_policy.cc iam_policy_client.cc iam_rows.cc iam_schemas.cc iam_second_names.cc iam_spellings.cc user_row_checks.cc user_rows.cc
  iam_spec.cc import_data_file.cc import_data_file_client.cc import_data_file_schema.cc lockout.cc privileged_access.cc silent_providers.cc
  member_check.cc member_forms.cc members.cc identity_client.cc permissions.cc provider.cc role_forms.cc role_severities.cc service_agents.cc settings.cc severities.cc terraform_arguments.cc undescribed_types.cc
  conditions/attributes.cc conditions/checker.cc conditions/lints.cc conditions/literals.cc
  credentials/authorized_user.cc credentials/credential_file.cc credentials/external_account.cc
  credentials/field_reader.cc credentials/impersonation.cc credentials/metadata_server.cc
  credentials/remembered_failure.cc
  credentials/service_account.cc credentials/signing_key.cc credentials/subject_token.cc
  credentials/token_authorizer.cc credentials/token_cache.cc credentials/token_endpoint.cc project_members.cc)
